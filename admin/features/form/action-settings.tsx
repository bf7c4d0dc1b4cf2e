/** Controls of an action's settings, from the type's description or, without one, from the plugin's HTML. */
import { lazy, type ReactNode, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import { parseHtml } from "../../../visitor/script/trusted.ts";
import { useClient } from "../../shared/api/client.ts";
import { actionSettingsQuery } from "../../shared/api/resources.ts";
import type { ActionSetting, ActionType, Field, FormSchema, FormAction } from "../../../client/index.ts";
import { labelOf } from "../../shared/field-label.ts";
import { MAIL_ACTIONS } from "../../shared/mail-actions.ts";
import { useText } from "../../shared/text/text.tsx";
import { HtmlFrame } from "../../ui/html-frame.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { SettingControl } from "./setting-of-action.tsx";

const MailSettings = lazy(() => import("./mail/mail-settings.tsx"));

export interface ActionSettingsProps {
  readonly action: FormAction;
  readonly index: number;
  readonly formId: number;
  readonly fields: readonly Field[];
  /** Schema of the draft, with which tests of a mail are composed. */
  readonly schema: FormSchema;
  readonly actionType?: ActionType;
  readonly onChange: (action: FormAction) => void;
}

export function ActionSettings({
  action,
  index,
  formId,
  fields,
  schema,
  actionType,
  onChange,
}: ActionSettingsProps): ReactNode {
  const t = useText();
  const settings = actionType?.settings ?? [];
  if (actionType === undefined) return <p className="help">{t("actions.unknownHelp")}</p>;
  if (settings.length === 0)
    return <PluginSettings action={action} index={index} formId={formId} onChange={onChange} />;
  if (MAIL_ACTIONS.has(actionType.type))
    return (
      <Suspense fallback={<Loading />}>
        <MailSettings
          action={action}
          actionType={actionType}
          formId={formId}
          fields={fields}
          schema={schema}
          onChange={onChange}
        />
      </Suspense>
    );
  return (
    <div className="stack">
      <div className="columns">
        {settings.map((setting) => (
          <SettingControl
            key={setting.key}
            setting={setting}
            value={action[setting.key]}
            onChange={(value) => onChange({ ...action, [setting.key]: value })}
          />
        ))}
      </div>
      <p className="help">
        {t("actions.variables")}{" "}
        {[{ name: "all", label: t("actions.allAnswers") }, ...fields].slice(0, 30).map((field) => (
          <span key={field.name} className="variable">
            {labelOf(field)} <code>[{field.name}]</code>
          </span>
        ))}
      </p>
    </div>
  );
}

/**
 * Settings of a plugin that renders HTML. The HTML is shown in a sandboxed iframe without scripts or origin. This page
 * cannot read the iframe, so it rebuilds the controls beside the iframe.
 */
function PluginSettings({
  action,
  index,
  formId,
  onChange,
}: Omit<ActionSettingsProps, "fields" | "schema" | "actionType">): ReactNode {
  const t = useText();
  const client = useClient();
  const rendered = useQuery(actionSettingsQuery(client, action.type, formId, index));
  return (
    <Loaded query={rendered}>
      {({ html }) => (
        <div className="columns">
          {isDescribed(html) ? null : <PluginFrame html={html} title={t("actions.pluginForm")} />}
          <div className="stack">
            {controlsOf(html).map((setting) => (
              <SettingControl
                key={setting.key}
                setting={setting}
                value={action[setting.key]}
                onChange={(value) => onChange({ ...action, [setting.key]: value })}
              />
            ))}
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** Whether the HTML was generated from a description, so that the rebuilt controls show all of it. */
const isDescribed = (html: string): boolean => parseHtml(html).querySelector("[data-cf-described]") !== null;

/** Plugin HTML in an iframe without scripts, form submission or origin. */
function PluginFrame({ html, title }: { readonly html: string; readonly title: string }): ReactNode {
  const page = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body inert>${html}`;
  return <HtmlFrame html={page} className="plugin-frame" sandbox="" title={title} />;
}

/** Returns a setting for each control that is named `form[settings][actions][0][key]`. */
export function controlsOf(html: string): readonly ActionSetting[] {
  const page = parseHtml(html);
  return [
    ...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>("input, textarea, select"),
  ].flatMap((control) => {
    const key = /^form\[settings\]\[actions\]\[\d+\]\[([^\]]+)\]$/.exec(control.name)?.[1];
    if (key === undefined || key === "type" || control.type === "hidden") return [];
    const help = page.getElementById(control.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
    const options =
      control instanceof HTMLSelectElement
        ? [...control.options].map(({ value, text }) => ({ value, label: text }))
        : [];
    const setting: ActionSetting = {
      key,
      help,
      options,
      label: controlLabel(control) || key,
      input: inputOf(control),
      required: control.required,
      secret: control.type === "password",
      default: control instanceof HTMLSelectElement ? (options[0]?.value ?? "") : control.placeholder,
    };
    return [setting];
  });
}

function controlLabel(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string {
  const label = control.labels?.[0]?.cloneNode(true);
  if (label instanceof HTMLElement)
    for (const inner of label.querySelectorAll("input, textarea, select")) inner.remove();
  return label?.textContent?.trim() || (control.getAttribute("aria-label") ?? "");
}

function inputOf(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): ActionSetting["input"] {
  if (control instanceof HTMLSelectElement) return "select";
  if (control instanceof HTMLTextAreaElement) return "textarea";
  return control.type === "checkbox" || control.type === "password" ? control.type : "text";
}
