/** Content of the publish popover: the changes that become public, or the faults that prevent it. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Draft } from "../../shared/draft/draft.ts";
import { useIncompleteFields } from "../../shared/editor-panels.ts";
import { useNotices } from "../../shared/notices.ts";
import { useOptions } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { fieldTitle } from "../../shared/field-types.ts";
import { useLanguage, useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Differences } from "../../ui/differences.tsx";
import { MailNotice } from "../../ui/mail-notice.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { ActionsOff } from "./actions-off.tsx";
import { IncompleteFields } from "./incomplete-fields.tsx";
import { LinkBox } from "./link-box.tsx";

export interface PublishDialogProps {
  readonly draft: Draft;
  /** Number of unpublished changes. */
  readonly count: number;
  /** Whether the form was never published. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
  /** Called instead of `onClose` when the form was published for the first time. */
  readonly onFirst: () => void;
}

export default function PublishDialog({ draft, count, isFirst, onClose, onFirst }: PublishDialogProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const incomplete = useIncompleteFields(draft.content.schema.fields);
  const publish = async () => {
    const before = await draft.publish(isFirst ? "published" : undefined);
    if (before === null) return;
    if (isFirst) return onFirst();
    onClose();
    notices.showUndoable(t("publish.done", { count }), () => {
      draft.publishRevision(before).catch((error: unknown) => notices.showError(error));
    });
  };
  return (
    <>
      {isFirst ? <FirstPublish draft={draft} onLeave={onClose} /> : <Changes draft={draft} onLeave={onClose} />}
      <ActionsOff draft={draft} onLeave={onClose} />
      <Others draft={draft} />
      <IncompleteFields formId={draft.form.id} incomplete={incomplete} onLeave={onClose} />
      <PublishFault draft={draft} onLeave={onClose} />
      <div className="row end">
        <Button onPress={onClose}>{t("common.cancel")}</Button>
        <Button look="primary" isDisabled={draft.isPublishing || incomplete.length > 0} onPress={() => void publish()}>
          {t(isFirst ? "forms.publish" : "build.publish")}
        </Button>
      </div>
    </>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly onLeave: () => void;
}

/** Content before the first publication: the form's link, and the recipient of notifications. */
function FirstPublish({ draft: { form }, onLeave }: PartProps): ReactNode {
  const t = useText();
  const isEmpty = form.settings.actions.length === 0;
  const mail = form.settings.actions.find(
    (action) => action.type === "email" && action.action_enabled !== false && typeof action["to"] === "string",
  );
  const to = String(mail?.["to"] ?? "").trim();
  return (
    <>
      <p>{t("publish.firstText")}</p>
      <LinkBox url={form.url} isOnline={false} />
      <p>
        {to === "" ? t("publish.noNotify") : t("publish.notify", { email: to })}{" "}
        <Link href={`/forms/${form.id}/actions`} onClick={onLeave}>
          {t(isEmpty ? "publish.addNotification" : "publish.editNotification")}
        </Link>
      </p>
      <MailNotice />
    </>
  );
}

function Changes({ draft, onLeave }: PartProps): ReactNode {
  const t = useText();
  return (
    <>
      <Differences before={draft.live.content} after={draft.content} />
      <Link href={`/forms/${draft.form.id}/history`} onClick={onLeave}>
        {t("publish.compare")}
      </Link>
    </>
  );
}

/** Names the other authors of the draft, and lists what sanitizing removed from their saves. */
function Others({ draft: { authors } }: { readonly draft: Draft }): ReactNode {
  const t = useText();
  const { user } = useOptions();
  const { names } = useFormats();
  const others = authors?.logins.filter((login) => login !== user?.login) ?? [];
  // A host may not name the signed-in user; then only a removal shows that another user saved the draft.
  const isByOthers = authors !== null && others.length > 0 && (user !== undefined || authors.removed.length > 0);
  if (!isByOthers) return null;
  const named = (logins: readonly string[]) => ({ author: names(logins), count: logins.length });
  return (
    <div className="hint">
      <p>{t("build.publishOthersText", named(others))}</p>
      {authors.removed.length === 0 ? null : (
        <>
          <p>{t("build.draftRemoved", named([...new Set(authors.removed.map(({ login }) => login))]))}</p>
          <ul className="bullets">
            {[...new Set(authors.removed.map(({ message }) => message))].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The faults that prevent publication, with a link to each field or setting. */
function PublishFault({ draft, onLeave }: PartProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  const { fault, content, form } = draft;
  if (fault === null) return null;
  const linkOf = (tab: string, label: string): ReactNode => (
    <Link href={`/forms/${form.id}/${tab}`} onClick={onLeave}>
      {label}
    </Link>
  );
  const labelOf = (name: string): ReactNode => {
    const field = content.schema.fields[Number(/fields\[(\d+)\]/.exec(name)?.[1] ?? -1)];
    if (field !== undefined)
      return linkOf(`build?field=${encodeURIComponent(field.name)}`, fieldTitle(field, language));
    if (name === "title") return linkOf("settings", t("new.formTitle"));
    if (/^settings\.actions\b/.test(name)) return linkOf("actions", t("form.tab.actions"));
    const setting = /^settings\.(\w+)/.exec(name)?.[1];
    return setting === undefined ? null : linkOf("settings", textOf("settings", setting));
  };
  return (
    <div className="trouble" role="alert">
      <div>
        <strong>{t("build.notPublished")}</strong>
        <ErrorText error={fault} labelOf={labelOf} />
      </div>
    </div>
  );
}
