/** Dialogs that change a form at once: its schedule, its status. The form's header and the list of forms open them. */
import { type ReactNode, useState } from "react";
import type { Form } from "../../client/index.ts";
import type { FormChange } from "../shared/draft/draft.ts";
import { useNotices } from "../shared/notices.ts";
import { useText } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { NumberField, TextField } from "./fields.tsx";
import { stateOf } from "./form-state.tsx";
import { Moment } from "./moment.tsx";
import { Dialog } from "./overlays.tsx";

export type FormDialogName = "schedule" | "close" | "reopen";

export interface FormDialogProps {
  readonly form: Pick<Form, "title" | "status" | "settings" | "messages" | "submission_count">;
  readonly name: FormDialogName;
  readonly onChange: (change: FormChange) => Promise<unknown>;
  readonly onClose: () => void;
}

export default function FormDialog(props: FormDialogProps): ReactNode {
  switch (props.name) {
    case "schedule":
      return <ScheduleDialog {...props} />;
    case "close":
      return <CloseDialog {...props} />;
    case "reopen":
      return <ReopenDialog {...props} />;
  }
}

interface ChangeDialogProps {
  readonly title: string;
  readonly action: string;
  readonly isDisabled?: boolean;
  readonly done: string;
  readonly change: FormChange;
  readonly onChange: FormDialogProps["onChange"];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog whose button sends the change. An error keeps the dialog open. */
function ChangeDialog({ title, action, isDisabled, done, change, onChange, onClose, children }: ChangeDialogProps) {
  const t = useText();
  const notices = useNotices();
  const [isSending, setIsSending] = useState(false);
  const send = async () => {
    setIsSending(true);
    try {
      await onChange(change);
      notices.show(done);
      onClose();
    } catch (error) {
      notices.showError(error);
      setIsSending(false);
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" isDisabled={isDisabled === true} isPending={isSending} onPress={() => void send()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

function ScheduleDialog({ form, onChange, onClose }: FormDialogProps): ReactNode {
  const t = useText();
  const [opens, setOpens] = useState(form.settings.opens_at);
  const [closes, setCloses] = useState(form.settings.closes_at);
  const isNeverOpen = Date.parse(closes) <= Date.parse(opens);
  return (
    <ChangeDialog
      title={t("schedule.title")}
      action={t("schedule.save")}
      done={t("schedule.done")}
      isDisabled={isNeverOpen}
      change={{ settings: { opens_at: opens, closes_at: closes } }}
      onChange={onChange}
      onClose={onClose}
    >
      <p className="help">{t("schedule.zone", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</p>
      <Moment label={t("settings.opens_at")} value={opens} onChange={setOpens} />
      <Moment
        label={t("settings.closes_at")}
        value={closes}
        fault={isNeverOpen ? t("settings.neverOpen") : undefined}
        onChange={setCloses}
      />
    </ChangeDialog>
  );
}

function CloseDialog({ form, onChange, onClose }: FormDialogProps): ReactNode {
  const t = useText();
  const [text, setText] = useState(form.messages["form_closed"] ?? "");
  return (
    <ChangeDialog
      title={t("publish.closeTitle")}
      action={t("forms.close")}
      done={t("publish.closed")}
      change={{ status: "closed", messages: { form_closed: text } }}
      onChange={onChange}
      onClose={onClose}
    >
      <TextField label={t("publish.closeText")} value={text} rows={3} onChange={setText} />
    </ChangeDialog>
  );
}

/** Asks for a new end date or limit if the old one closed the form. */
function ReopenDialog({ form, onChange, onClose }: FormDialogProps): ReactNode {
  const t = useText();
  const open: Parameters<typeof stateOf>[0] = { ...form, status: "published" };
  const [closes, setCloses] = useState(form.settings.closes_at);
  const [limit, setLimit] = useState(form.settings.submission_limit);
  const isOver = stateOf(open) === "over";
  const isFull = !isOver && stateOf(open) === "full";
  const changed = { ...form.settings, closes_at: closes, submission_limit: limit };
  return (
    <ChangeDialog
      title={t("publish.reopenTitle")}
      action={t("publish.reopen")}
      done={t("publish.reopened")}
      isDisabled={stateOf({ ...open, settings: changed }) !== "published"}
      change={{
        status: "published",
        settings: { ...(isOver ? { closes_at: closes } : {}), ...(isFull ? { submission_limit: limit } : {}) },
      }}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{t("publish.reopenText")}</p>
      {isOver ? (
        <Moment label={t("settings.closes_at")} help={t("publish.newEnd")} value={closes} onChange={setCloses} />
      ) : null}
      {isFull ? (
        <NumberField
          label={t("settings.submission_limit")}
          help={t("publish.newLimit", { count: form.submission_count })}
          value={limit}
          onChange={setLimit}
        />
      ) : null}
    </ChangeDialog>
  );
}
