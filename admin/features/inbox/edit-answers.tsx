/** Dialog that edits answers. The timeline keeps the previous values. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { factsOf } from "../../shared/field-facts.ts";
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

interface EditedAnswers {
  /** Answers that the user edited, by field. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly isPending: boolean;
  /** Failure of the last attempt to save. */
  readonly error: Error | null;
  /** Whether an answer changed since that attempt, so that its message is outdated. */
  isCorrected(name: string): boolean;
  set(name: string, value: unknown): void;
  save(): void;
}

function useEditedAnswers({ submission, onClose, onSaved }: EditAnswersProps): EditedAnswers {
  const [changes, setChanges] = useState<Readonly<Record<string, unknown>>>({});
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set());
  const client = useClient();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => client.updateSubmission({ id: submission.id, body: { data: changes } }),
    onSuccess(saved) {
      for (const queryKey of [keys.oneSubmission(submission.id), keys.timelineOf(submission.id)])
        void queries.invalidateQueries({ queryKey });
      onSaved(saved);
      onClose();
    },
  });
  return {
    changes,
    isPending: save.isPending,
    error: save.error,
    isCorrected: (name) => corrected.has(name),
    set(name, value) {
      setChanges((before) => ({ ...before, [name]: value }));
      setCorrected((before) => new Set([...before, name]));
    },
    save() {
      setCorrected(new Set());
      save.mutate();
    },
  };
}

export function EditAnswers(props: EditAnswersProps): ReactNode {
  const { submission, fields, onClose } = props;
  const t = useText();
  const edited = useEditedAnswers(props);
  const { changes, error } = edited;
  const shown = fields.filter(({ type }) => !["files", "secret"].includes(factsOf(type)?.answer ?? ""));
  const faults = faultsOf(error, shown);
  const body = useRef<HTMLDivElement>(null);
  // Moves the focus to the first invalid answer, whose message is read with it.
  useEffect(() => {
    if (error === null) return;
    body.current?.querySelector<HTMLElement>(`[data-faulty] :is(input, textarea, select, button)`)?.focus();
  }, [error]);
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
            isPending={edited.isPending}
            onPress={edited.save}
          >
            {t("common.save")}
          </Button>
        </>
      }
    >
      {error !== null && faults === null ? (
        <div className="fault" role="alert">
          <ErrorText error={error} />
        </div>
      ) : null}
      <div className="stack" ref={body}>
        {shown.map((field) => (
          <AnswerControl
            key={field.name}
            field={field}
            value={changes[field.name] ?? submission.data[field.name]}
            fault={edited.isCorrected(field.name) ? undefined : faults?.get(field.name)}
            onChange={(value) => edited.set(field.name, value)}
          />
        ))}
      </div>
    </Dialog>
  );
}

const PARAMETER_PREFIX = "data.";

/**
 * Returns the messages of invalid answers by field, in the form's words. Null if a message belongs to no field of the
 * dialog, or for any other error; then the error is shown as a whole.
 */
function faultsOf(error: unknown, fields: readonly AnswerField[]): ReadonlyMap<string, string> | null {
  if (!(error instanceof ApiError)) return null;
  const { params } = error.data;
  if (typeof params !== "object" || params === null) return null;
  const faults = new Map<string, string>();
  for (const [path, message] of Object.entries(params)) {
    const name = path.startsWith(PARAMETER_PREFIX) ? path.slice(PARAMETER_PREFIX.length) : path;
    const field =
      fields.find((candidate) => candidate.name === name) ??
      fields.find((candidate) => name.startsWith(`${candidate.name}.`) || name.startsWith(`${candidate.name}[`));
    if (field === undefined) return null;
    if (!faults.has(field.name)) faults.set(field.name, String(message));
  }
  return faults.size === 0 ? null : faults;
}

interface AnswerControlProps {
  readonly field: AnswerField;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Editable parts of a composite answer, in the order of the form; empty for other answers. */
const partsOf = (type: string): readonly string[] => factsOf(type)?.parts ?? [];

type Kind = "toggle" | "choices" | "parts" | "rows" | "select" | "text";

/** The kind of control for an answer; stored answers may be older than the field. */
function kindOf({ type, options, columns }: AnswerField, value: unknown): Kind {
  if (columns !== undefined) return "rows";
  if (typeof value === "boolean" || (type === "checkbox" && options.length === 0)) return "toggle";
  if (Array.isArray(value) || (type === "checkbox" && options.length > 1)) return "choices";
  if (partsOf(type).length > 0 || (typeof value === "object" && value !== null)) return "parts";
  return options.length > 0 ? "select" : "text";
}

/** A control with its message. Text fields show the message themselves. */
function AnswerControl(props: AnswerControlProps): ReactNode {
  const { field, value, fault } = props;
  const id = useId();
  const hasMessage = fault !== undefined && kindOf(field, value) !== "text";
  return (
    <div
      className="stack close"
      data-faulty={fault !== undefined || undefined}
      {...(hasMessage ? { role: "group", "aria-label": labelOf(field), "aria-describedby": id } : {})}
    >
      <Control {...props} />
      {hasMessage ? (
        <span id={id} className="fault">
          {fault}
        </span>
      ) : null}
    </div>
  );
}

function Control(props: AnswerControlProps): ReactNode {
  const { field, value, fault, onChange } = props;
  const label = labelOf(field);
  const kind = kindOf(field, value);
  if (kind === "toggle") return <Checkbox label={label} value={value === true} onChange={onChange} />;
  if (kind === "choices") return <ChoicesControl {...props} />;
  if (kind === "parts") return <PartsControl {...props} />;
  if (kind === "rows") return <RowsControl {...props} />;
  if (kind === "select")
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

function ChoicesControl({ field, value, onChange }: AnswerControlProps): ReactNode {
  const chosen = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  return (
    <fieldset className="conditions">
      <legend>{labelOf(field)}</legend>
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

function PartsControl({ field, value, onChange }: AnswerControlProps): ReactNode {
  const textOf = useTextOf();
  const parts = partsOf(field.type);
  const written: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
  const nameOf = (part: string) => field.options.find((option) => option.value === part)?.label ?? textOf("part", part);
  return (
    <fieldset className="conditions">
      <legend>{labelOf(field)}</legend>
      {(parts.length > 0 ? parts : Object.keys(written)).map((part) => {
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

/** The answers of each row, and buttons that add and remove a row. */
function RowsControl({ field, value, onChange }: AnswerControlProps): ReactNode {
  const t = useText();
  const rows = (Array.isArray(value) ? value : []) as readonly Readonly<Record<string, unknown>>[];
  const columns = (field.columns ?? []).filter(
    ({ type, attributes = {} }) => !("data-calc" in attributes) && factsOf(type)?.answer !== "secret",
  );
  return (
    <fieldset className="conditions">
      <legend>{labelOf(field)}</legend>
      {rows.map((row, index) => {
        const name = `${labelOf(field)} ${index + 1}`;
        const replace = (next: readonly unknown[]) =>
          onChange([...rows.slice(0, index), ...next, ...rows.slice(index + 1)]);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <fieldset key={index} className="conditions">
            <legend>{name}</legend>
            {columns.map((column) => (
              <AnswerControl
                key={column.name}
                field={column}
                value={row[column.name]}
                fault={undefined}
                onChange={(next) => replace([{ ...row, [column.name]: next }])}
              />
            ))}
            <Button look="quiet" onPress={() => replace([])}>
              {t("detail.removeRow", { name })}
            </Button>
          </fieldset>
        );
      })}
      <Button look="quiet" onPress={() => onChange([...rows, {}])}>
        {t("detail.addRow")}
      </Button>
    </fieldset>
  );
}
