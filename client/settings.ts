/** The settings of forms, from the engine's table. Made by scripts/client-operations.ts: do not edit. */

/** Key of a setting. */
export type SettingKey = "opens_at" | "closes_at" | "submission_limit" | "hide_after_success" | "success_title" | "success_button" | "success_summary" | "redirect_url" | "endings" | "require_user_logged_in" | "prevent_duplicates" | "rate_limit" | "allowed_origins" | "required_fields" | "email_fields" | "prefill" | "time_zone" | "save" | "save_days" | "save_mail" | "review" | "auto_advance" | "save_submissions" | "retention_days" | "store_ip" | "shorten_ip" | "store_user_agent" | "file_link_days" | "upload_quota" | "run_actions" | "actions" | "spam_checks" | "language" | "theme" | "theme_values" | "logo" | "cover";

/** Kind of a setting's value. */
export type SettingKind = "moment" | "count" | "boolean" | "text" | "structure" | "choice" | "bytes";

/** Section of the admin's settings screen. */
export type SettingGroup = "time" | "after" | "who" | "fields" | "keep" | "actions" | "spam" | "look";

/** Facts about a setting. */
export interface SettingFacts {
  readonly key: SettingKey;
  readonly kind: SettingKind;
  readonly group: SettingGroup;
  /** Whether visitors' pages look different with another value. */
  readonly shapesPages: boolean;
  /** First version that has the setting. */
  readonly since: string;
  /** The allowed values; empty if every value of the kind is allowed. */
  readonly choices: readonly string[];
}

/** The settings, in the order of the admin's settings screen. */
export const SETTINGS: readonly SettingFacts[] = [
  {"key":"opens_at","kind":"moment","group":"time","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"closes_at","kind":"moment","group":"time","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"submission_limit","kind":"count","group":"time","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"hide_after_success","kind":"boolean","group":"after","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"success_title","kind":"text","group":"after","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"success_button","kind":"structure","group":"after","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"success_summary","kind":"boolean","group":"after","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"redirect_url","kind":"text","group":"after","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"endings","kind":"structure","group":"after","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"require_user_logged_in","kind":"boolean","group":"who","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"prevent_duplicates","kind":"boolean","group":"who","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"rate_limit","kind":"count","group":"who","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"allowed_origins","kind":"structure","group":"who","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"required_fields","kind":"text","group":"fields","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"email_fields","kind":"text","group":"fields","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"prefill","kind":"choice","group":"fields","shapesPages":true,"since":"0.1.0","choices":["visible","off"]},
  {"key":"time_zone","kind":"text","group":"fields","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"save","kind":"choice","group":"fields","shapesPages":true,"since":"0.1.0","choices":["off","button","auto"]},
  {"key":"save_days","kind":"count","group":"fields","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"save_mail","kind":"boolean","group":"fields","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"review","kind":"boolean","group":"fields","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"auto_advance","kind":"boolean","group":"fields","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"save_submissions","kind":"boolean","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"retention_days","kind":"count","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"store_ip","kind":"boolean","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"shorten_ip","kind":"boolean","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"store_user_agent","kind":"boolean","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"file_link_days","kind":"count","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"upload_quota","kind":"bytes","group":"keep","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"run_actions","kind":"choice","group":"actions","shapesPages":false,"since":"0.1.0","choices":["queue","inline"]},
  {"key":"actions","kind":"structure","group":"actions","shapesPages":false,"since":"0.1.0","choices":[]},
  {"key":"spam_checks","kind":"structure","group":"spam","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"language","kind":"text","group":"look","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"theme","kind":"text","group":"look","shapesPages":true,"since":"0.1.0","choices":["","calm","paper","bold","contrast"]},
  {"key":"theme_values","kind":"structure","group":"look","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"logo","kind":"text","group":"look","shapesPages":true,"since":"0.1.0","choices":[]},
  {"key":"cover","kind":"text","group":"look","shapesPages":true,"since":"0.1.0","choices":[]},
];
