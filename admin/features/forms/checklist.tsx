/** Steps of a new site from the first form to the first submission. The card stays until all steps are done. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ListedForm } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { MailSetup, useMailState } from "../../ui/mail-notice.tsx";
import { Card } from "../../ui/page.tsx";

interface Step {
  readonly id: "create" | "publish" | "mail" | "submission";
  readonly isDone: boolean;
  /** Next thing to do, for steps that are open. */
  readonly next: ReactNode;
}

/** Shows the steps while one is open. */
export function Checklist({ forms }: { readonly forms: readonly ListedForm[] }): ReactNode {
  const t = useText();
  const { isKept } = useMailState();
  const newest = forms.reduce<ListedForm | undefined>(
    (last, form) => (last && last.id > form.id ? last : form),
    undefined,
  );
  const live = forms.find(({ status }) => status === "published");
  const steps: readonly Step[] = [
    { id: "create", isDone: newest !== undefined, next: <Link href="/forms/new">{t("first.createLink")}</Link> },
    {
      id: "publish",
      isDone: forms.some(({ status }) => status !== "draft"),
      next: newest === undefined ? null : <Link href={`/forms/${newest.id}/build`}>{newest.title}</Link>,
    },
    ...(isKept === undefined ? [] : [{ id: "mail" as const, isDone: !isKept, next: <MailSetup /> }]),
    {
      id: "submission",
      isDone: forms.some(({ submission_count: count }) => count > 0),
      next: live === undefined ? null : <Link href={`/forms/${live.id}/share`}>{t("first.share")}</Link>,
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title={t("first.checklist")}>
      <ol className="checklist">
        {steps.map(({ id, isDone, next }) => (
          <li key={id} data-done={isDone || undefined}>
            <span className="check">{isDone ? <Icon name="check" /> : null}</span>
            <span>
              {t(`first.${id}`)}
              <span className="visually-hidden"> {t(isDone ? "first.done" : "first.open")}</span>
            </span>
            {isDone ? null : <span className="muted">{next}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
