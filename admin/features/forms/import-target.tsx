/** Choice of the form that receives a file's submissions, and of a field for each column of a CSV file. */
import { type ReactNode, useState } from "react";
import type { FormSchema, Import } from "../../../client/index.ts";
import { answerFields, useForms, useSchema } from "../../shared/api/queries.ts";
import { useText } from "../../shared/text/text.tsx";
import { type Choice, Select } from "../../ui/fields.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";

/** Parameters of an import of submissions. */
export interface ImportTarget {
  readonly form_id: number;
  readonly mapping: { readonly columns: Readonly<Record<string, string>> };
}

/** Columns of a CSV file, their first rows, and the columns that the engine recognizes. */
type Columns = NonNullable<Import["mapping"]>;

type Field = FormSchema["fields"][number];

/** Target of a column that the engine matches by its heading. */
const AUTOMATIC = "automatic";

/** Facts about a submission that a column may hold. */
const FACTS = [
  ["@submitted_at", "import.submittedAt"],
  ["@ip_address", "import.ipAddress"],
  ["@status", "import.status"],
] as const;

/** Parts of the answers of composite fields. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  name: ["first", "last"],
  address: ["street", "street2", "postal_code", "city", "state", "country"],
};

/** Storage key of the mapping that a form used last. */
const storageKey = (formId: number): string => `cf-forms-import-columns-${formId}`;

function remembered(formId: number): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(formId)) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).map(([heading, place]) => [heading, String(place)]));
  } catch {
    // `localStorage` may be blocked; then nothing is remembered.
    return {};
  }
}

function remember(formId: number, columns: Readonly<Record<string, string>>): void {
  try {
    localStorage.setItem(storageKey(formId), JSON.stringify({ ...remembered(formId), ...columns }));
  } catch {
    // `localStorage` may be blocked or full; then nothing is remembered.
  }
}

/** The field whose label or name is the heading. */
function suggested(fields: readonly Field[], heading: string): string {
  const plain = heading.trim().toLowerCase();
  const found = fields.find(({ label, name }) => label?.trim().toLowerCase() === plain || name.toLowerCase() === plain);
  return found?.name ?? AUTOMATIC;
}

/** The chosen form, the fields of the columns, and the controls for both. */
export function useTarget(mapping: Columns | undefined): {
  readonly target: ImportTarget | null;
  readonly controls: ReactNode;
  readonly remember: () => void;
} {
  const [formId, setFormId] = useState<number | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const schema = useSchema(formId).data;
  const fields = answerFields(schema);
  const known = formId === null ? {} : remembered(formId);
  const placeOf = (heading: string): string =>
    chosen[heading] ?? known[heading] ?? mapping?.columns[heading] ?? suggested(fields, heading);
  const places = Object.fromEntries((mapping?.headings ?? []).map((heading) => [heading, placeOf(heading)]));
  const columns = Object.fromEntries(Object.entries(places).filter(([, place]) => place !== AUTOMATIC));
  const controls = (
    <TargetControls
      formId={formId}
      onForm={(id) => {
        setFormId(id);
        setChosen({});
      }}
    >
      {mapping === undefined || schema === undefined ? null : (
        <ColumnsTable
          columns={mapping}
          fields={fields}
          placeOf={placeOf}
          onPlace={(heading, place) => setChosen({ ...chosen, [heading]: place })}
        />
      )}
    </TargetControls>
  );
  return {
    target: formId === null || schema === undefined ? null : { form_id: formId, mapping: { columns } },
    controls,
    remember: () => {
      if (formId !== null) remember(formId, places);
    },
  };
}

function TargetControls({
  formId,
  onForm,
  children,
}: {
  readonly formId: number | null;
  readonly onForm: (id: number) => void;
  readonly children: ReactNode;
}): ReactNode {
  const t = useText();
  return (
    <div className="stack close">
      <p className="muted">{t("import.targetHelp")}</p>
      <FormSelect formId={formId} onChange={onForm} />
      {children}
    </div>
  );
}

/** The form that receives the submissions. */
function FormSelect({
  formId,
  onChange,
}: {
  readonly formId: number | null;
  readonly onChange: (id: number) => void;
}): ReactNode {
  const t = useText();
  const forms = useForms().data ?? [];
  return (
    <Select
      label={t("import.targetForm")}
      value={formId === null ? "" : String(formId)}
      choices={forms.map(({ id, title }) => ({ value: String(id), label: title }))}
      placeholder={t("import.chooseForm")}
      onChange={(id) => onChange(Number(id))}
    />
  );
}

/** The targets that a column can have. */
function usePlaces(fields: readonly Field[]): readonly Choice[] {
  const t = useText();
  const ofField = ({ name, label, type }: Field): readonly Choice[] => {
    const title = label === undefined || label === "" ? name : label;
    const parts = PARTS[type ?? ""] ?? [];
    return [
      { value: name, label: title },
      ...parts.map((part) => ({ value: `${name}.${part}`, label: `${title}: ${part}` })),
    ];
  };
  return [
    { value: AUTOMATIC, label: t("import.byHeading") },
    ...fields.flatMap(ofField),
    ...FACTS.map(([value, text]) => ({ value, label: t(text) })),
  ];
}

/** The columns with their first values, each with a select for its target. */
function ColumnsTable({
  columns,
  fields,
  placeOf,
  onPlace,
}: {
  readonly columns: Columns;
  readonly fields: readonly Field[];
  readonly placeOf: (heading: string) => string;
  readonly onPlace: (heading: string, place: string) => void;
}): ReactNode {
  const t = useText();
  const places = usePlaces(fields);
  return (
    <Scrollable label={t("import.columns")}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t("import.column")}</th>
            <th scope="col">{t("import.values")}</th>
            <th scope="col">{t("import.place")}</th>
          </tr>
        </thead>
        <tbody>
          {[...new Set(columns.headings)].map((heading) => (
            <tr key={heading}>
              <td>{heading}</td>
              <td className="muted">
                {columns.rows
                  .map((row) => row[columns.headings.indexOf(heading)] ?? "")
                  .filter((cell) => cell !== "")
                  .join(" · ")}
              </td>
              <td>
                <Select
                  label={`${t("import.place")}: ${heading}`}
                  hideLabel
                  value={placeOf(heading)}
                  choices={places}
                  onChange={(place) => onPlace(heading, place)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
