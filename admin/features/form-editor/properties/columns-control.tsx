/** Editor of a matrix's columns: the options that all its rows share. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import type { ControlProps } from "./control.tsx";
import { withOptions } from "./option-values.ts";
import OptionsControl from "./options-control.tsx";
import { type ColumnsProperty, isMatrix, type OptionsProperty } from "./property.ts";

const OPTIONS: OptionsProperty = {
  control: "options",
  label: "build.columns",
  read: ({ options }) => options,
  write: (_, options) => ({ options }),
};

export default function ColumnsControl(props: ControlProps<ColumnsProperty>): ReactNode {
  const { field, editor, label } = props;
  const t = useText();
  if (!isMatrix(field)) return null;
  const rows = editor.content.schema.fields.filter(
    ({ group, type }) => group === field.name && (type === "radio" || type === "checkbox"),
  );
  const [first] = rows;
  const others = editor.content.schema.fields.filter(({ group }) => group === field.name);
  if (first === undefined) return <p className="help">{t("build.noRows")}</p>;
  const isSame = (row: typeof first): boolean => JSON.stringify(row.options) === JSON.stringify(first.options);
  return (
    <>
      <p className="label">{label}</p>
      <OptionsControl
        {...props}
        property={OPTIONS}
        field={first}
        onChange={({ options = [] }, mergeKey) => {
          const key = mergeKey ?? "columns";
          for (const row of rows)
            editor.run({ kind: "update", name: row.name, change: withOptions(row, options) }, `${field.name} ${key}`);
        }}
      />
      {rows.length === others.length && rows.every(isSame) ? null : <p className="help">{t("build.rowsDiffer")}</p>}
    </>
  );
}
