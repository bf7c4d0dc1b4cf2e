/** Dialog that edits answers. The timeline keeps the previous values. */
import { type ReactNode, useState } from "react";
import { ApiError } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import type { Submission } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, Select, TextField } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { type AnswerField, labelOf } from "./answers.ts";

export interface EditAnswersProps {
  readonly submission: Submission;
  readonly fields: readonly AnswerField[];
  readonly onClose: () => void;
  readonly onSaved: (submission: Submission) => void;
}

export function EditAnswers({ submission, fields, onClose, onSaved }: EditAnswersProps): ReactNode {
  const t = useText();
  const [changes, setChanges] = useState<Readonly<Record<string, unknown>>>({});
  const save = useChange((client) => client.updateSubmission({ id: submission.id, body: { data: changes } }), {
    stale: [keys.oneSubmission(submission.id), keys.timelineOf(submission.id)],
    then(saved) {
      onSaved(saved);
      onClose();
    },
  });
  const set = (name: string, value: unknown) => setChanges((before) => ({ ...before, [name]: value }));
  const details = save.error instanceof ApiError ? save.error.data["params"] : undefined;
  const faultOf = (name: string): string | undefined => {
    const faults =
      typeof details === "object" && details !== null ? (details as Readonly<Record<string, unknown>>) : {};
    const found = faults[`data.${name}`] ?? faults[name];
    return found === undefined ? undefined : String(found);
  };
  return (
    <Dialog
      wide
      title={t("detail.edit")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            isDisabled={Object.keys(changes).length === 0}
            isPending={save.isPending}
            onPress={() => save.mutate(undefined)}
          >
            {t("common.save")}
          </Button>
        </>
      }
    >
      {save.isError ? (
        <div className="fault" role="alert">
          <ErrorText error={save.error} />
        </div>
      ) : null}
      {fields
        .filter(({ type }) => type !== "file" && type !== "password")
        .map((field) => (
          <AnswerControl
            key={field.name}
            field={field}
            value={changes[field.name] ?? submission.data[field.name]}
            fault={faultOf(field.name)}
            onChange={(value) => set(field.name, value)}
          />
        ))}
    </Dialog>
  );
}

interface AnswerControlProps {
  readonly field: AnswerField;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Editable parts of composite answers, in the order of the form. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  name: ["first", "last"],
  address: ["street", "street2", "city", "state", "postal_code", "country"],
  consent: ["accepted"],
};

function AnswerControl({ field, value, fault, onChange }: AnswerControlProps): ReactNode {
  const textOf = useTextOf();
  const label = labelOf(field);
  if (typeof value === "boolean" || (field.type === "checkbox" && field.options.length === 0))
    return <Checkbox label={label} value={value === true} onChange={onChange} />;
  if (Array.isArray(value) || (field.type === "checkbox" && field.options.length > 1)) {
    const chosen = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
    return (
      <fieldset className="conditions">
        <legend>{label}</legend>
        {field.options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label || option.value}
            value={chosen.includes(option.value)}
            onChange={(isOn) =>
              onChange(isOn ? [...chosen, option.value] : chosen.filter((other) => other !== option.value))
            }
          />
        ))}
      </fieldset>
    );
  }
  const parts = PARTS[field.type];
  if (parts !== undefined || (typeof value === "object" && value !== null)) {
    const written: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
    const nameOf = (part: string) =>
      field.options.find((option) => option.value === part)?.label ?? textOf("part", part);
    return (
      <fieldset className="conditions">
        <legend>{label}</legend>
        {(parts ?? Object.keys(written)).map((part) => {
          const set = (next: string | boolean) => onChange({ ...written, [part]: next });
          return typeof written[part] === "boolean" || part === "accepted" ? (
            <Checkbox key={part} label={nameOf(part)} value={written[part] === true} onChange={set} />
          ) : (
            <TextField key={part} label={nameOf(part)} value={String(written[part] ?? "")} onChange={set} />
          );
        })}
      </fieldset>
    );
  }
  if (field.options.length > 0)
    return <Select label={label} value={String(value ?? "")} choices={field.options} onChange={onChange} />;
  return (
    <TextField
      label={label}
      value={String(value ?? "")}
      fault={fault}
      onChange={onChange}
      {...(field.type === "textarea" ? { rows: 4 } : {})}
    />
  );
}
