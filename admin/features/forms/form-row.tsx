/** Row of a form in the list: its state, counts, submissions of the last month, and its menu. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { type ListedForm, unreadQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { FormState } from "../../ui/form-state.tsx";
import { FailedDot } from "./failed-dot.tsx";
import { FormMenu, type PublishDialogType } from "./form-menu.tsx";
import { Sparkline } from "./sparkline.tsx";

export interface FormRowProps {
  readonly form: ListedForm;
  readonly publishDialog: PublishDialogType;
}

export function FormRow({ form, publishDialog }: FormRowProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { data: unread = 0 } = useQuery(unreadQuery(useClient(), form.id));
  return (
    <li className="form-row">
      <div className="form-row-title">
        <span className="form-row-name">
          <Link href={`/forms/${form.id}`} className="title clip">
            {form.title}
          </Link>
          <FailedDot formId={form.id} />
        </span>
        <span className="row">
          <FormState form={form} />
          <span className="muted clip">/{form.slug}</span>
          <span className="form-row-copy">
            <CopyButton text={form.url} label={t("forms.copyAddressOf", { title: form.title })} />
          </span>
        </span>
      </div>
      <Link href={`/inbox?form=${form.id}`} className="form-row-count">
        <span className="number">{t("forms.submissions", { count: form.submission_count })}</span>
        {unread > 0 ? <span className="unread">{t("forms.unread", { count: unread })}</span> : null}
      </Link>
      <Link href={`/forms/${form.id}/analytics`} className="form-row-spark">
        <Sparkline formId={form.id} />
      </Link>
      <span className="muted form-row-date">{formats.day(form.updated_at)}</span>
      <FormMenu form={form} publishDialog={publishDialog} />
    </li>
  );
}
