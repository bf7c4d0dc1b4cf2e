/** Types of the values that callbacks of actions and hooks receive. */

/** A submission as the REST API shows it; `data` maps field names to answers. */
export interface ActionSubmission {
  /** 0 before the submission is stored. */
  readonly id: number;
  readonly form_id: number;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ActionFile[];
  readonly submitted_at: string;
  readonly [member: string]: unknown;
}

/** A file that came with a submission. */
export interface ActionFile {
  /** 0 before the submission is stored. */
  readonly id: number;
  readonly field: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly type: string;
  /** Empty before the submission is stored. */
  readonly url: string;
  /** Reads the bytes. Rejects when the file is gone. */
  read(): Promise<Uint8Array>;
}

/** A form as the REST API shows it. */
export interface ActionForm {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly [member: string]: unknown;
}

/** An action's settings by key. `idempotency_key` is the same for all attempts to run the action for one submission. */
export type ActionSettings = Readonly<Record<string, unknown>> & { readonly idempotency_key?: string };

/** A submission whose answers fill a template: one that a callback got, or one that the REST API returned. */
export interface TemplateSubmission {
  readonly id?: number;
  readonly form_id: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly submitted_at?: string;
  readonly ip_address?: string;
  readonly user_agent?: string;
  readonly referer_url?: string;
}

/** Use of a filled template: plain text, HTML, or a URL. */
export type TemplateUse = "text" | "html" | "url";
