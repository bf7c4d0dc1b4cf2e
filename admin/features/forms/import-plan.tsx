/** An uploaded file: its forms with their warnings, and the choices of the import. */
import { type ReactNode, useState } from "react";
import type { Import, Input } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, Switch, TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import { Losses, SaveReport } from "./import-report.tsx";
import { useTarget } from "./import-target.tsx";

/** Body of the request that starts an import. */
export type StartBody = NonNullable<Input<"startImport">["body"]>;

type DescribedForm = Import["forms"][number];

export interface PlanCardProps {
  readonly described: Import;
  readonly isPending: boolean;
  readonly onStart: (body: StartBody) => void;
}

export function PlanCard({ described, isPending, onStart }: PlanCardProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { forms, submissions, format, losses, needs_form: needsForm = false } = described;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(forms.map(({ index }) => index)));
  const { target, controls, remember } = useTarget(described.mapping);
  const [options, setOptions] = useState<SubmissionOptions>(defaultOptions);
  const imported = forms.filter(({ index }) => chosen.has(index));
  const created = imported.filter(({ id }) => id === null).length;
  const notes = [...imported.flatMap((form) => form.losses), ...losses];
  const start = () => {
    remember();
    onStart({
      ...(forms.length === 0 ? {} : { forms: [...chosen] }),
      ...(target === null ? {} : target),
      ...(submissions === 0 ? {} : options),
    });
  };
  return (
    <Card
      title={needsForm ? t("import.target") : t("import.wouldMake", { count: created })}
      help={t("import.recognized", { format: textOf("import.format", format, {}, format) })}
    >
      <div className="stack">
        {forms.map((form) => (
          <FormPlan
            key={form.index}
            form={form}
            isChosen={chosen.has(form.index)}
            isOnly={forms.length === 1}
            onChoose={(isChosen) => setChosen(toggled(chosen, form.index, isChosen))}
          />
        ))}
        {submissions === 0 ? null : <p className="muted">{t("import.found", { count: submissions })}</p>}
        {needsForm ? controls : null}
        {submissions === 0 ? null : <SubmissionControls options={options} onChange={setOptions} />}
        {forms.length > 0 && losses.length === 0 ? null : <Losses notes={losses} />}
        <div className="row end">
          <SaveReport notes={notes} />
          <Button
            look="primary"
            isDisabled={(created === 0 && submissions === 0) || (needsForm && target === null)}
            isPending={isPending}
            onPress={start}
          >
            {t(created === 0 ? "import.store" : "import.make")}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** Options for the import of submissions. */
interface SubmissionOptions {
  readonly time_zone: string;
  readonly fetch_files: boolean;
}

const defaultOptions = (): SubmissionOptions => ({
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  fetch_files: false,
});

function toggled(chosen: ReadonlySet<number>, index: number, isChosen: boolean): ReadonlySet<number> {
  return new Set(isChosen ? [...chosen, index] : [...chosen].filter((other) => other !== index));
}

function SubmissionControls({
  options,
  onChange,
}: {
  readonly options: SubmissionOptions;
  readonly onChange: (options: SubmissionOptions) => void;
}): ReactNode {
  const t = useText();
  return (
    <>
      <TextField
        label={t("import.timeZone")}
        value={options.time_zone}
        onChange={(zone) => onChange({ ...options, time_zone: zone })}
        help={t("import.timeZoneHelp")}
      />
      <Switch
        label={t("import.fetchFiles")}
        value={options.fetch_files}
        onChange={(fetches) => onChange({ ...options, fetch_files: fetches })}
        help={t("import.fetchFilesHelp")}
      />
    </>
  );
}

/** A form of the file: its fields and its warnings. */
function FormPlan({
  form,
  isChosen,
  isOnly,
  onChoose,
}: {
  readonly form: DescribedForm;
  readonly isChosen: boolean;
  readonly isOnly: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}): ReactNode {
  const t = useText();
  const { id, title, fields } = form;
  // The text above already says that the form exists.
  const losses = form.losses.filter(({ code }) => code !== "form_known");
  return (
    <section className="columns" aria-label={title}>
      <div className="stack close">
        {isOnly ? <strong>{title}</strong> : <Checkbox label={title} value={isChosen} onChange={onChoose} />}
        <span className="muted">{id === null ? t("import.fields", { count: fields.length }) : t("import.known")}</span>
        <ul className="bullets">
          {fields.map(({ name, label }) => (
            <li key={name}>{label === "" ? name : label}</li>
          ))}
        </ul>
      </div>
      <div className="stack close">
        <Losses notes={losses} />
      </div>
    </section>
  );
}
