/** Row of Advanced: which parameters of the page's address fill in the field (`data-prefill`). */
import type { ReactNode } from "react";
import type { Field, FieldMembers } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Select, TextField } from "../../../ui/fields.tsx";

const ATTRIBUTE = "data-prefill";

/** Way in which an address fills in a field. */
type Way = "name" | "names" | "off";

const TEXTS = { name: "build.prefillName", names: "build.prefillNames", off: "build.prefillOff" } as const;

/** Whether visitors cannot change the field. An address fills in such a field only if it has the attribute. */
const isGuarded = ({ type, attributes }: Field): boolean => type === "hidden" || "readonly" in attributes;

function wayOf(field: Field): Way {
  const listed = field.attributes[ATTRIBUTE]?.trim();
  if (listed === undefined) return isGuarded(field) ? "off" : "name";
  if (listed === "off") return "off";
  return listed === "" ? "name" : "names";
}

/** Returns the members of the field that store a way. Only the way `"names"` uses the list of parameters in `names`. */
export function prefillMembers(field: Field, way: Way, names: string): FieldMembers {
  const { [ATTRIBUTE]: _, ...attributes } = field.attributes;
  // Without the attribute, a parameter with the field's name fills in visible fields, but not guarded ones.
  const isDefault = way === (isGuarded(field) ? "off" : "name");
  if (isDefault) return { attributes };
  const value = { name: "", names: names.trim() || field.name, off: "off" }[way];
  return { attributes: { ...attributes, [ATTRIBUTE]: value } };
}

export interface PrefillControlProps {
  readonly field: Field;
  readonly onChange: (change: FieldMembers, mergeKey: string) => void;
}

export function PrefillControl({ field, onChange }: PrefillControlProps): ReactNode {
  const t = useText();
  const way = wayOf(field);
  const names = field.attributes[ATTRIBUTE] ?? "";
  const change = (next: string, listed = ""): void => onChange(prefillMembers(field, next as Way, listed), ATTRIBUTE);
  return (
    <>
      <Select
        label={t("build.prefill")}
        help={t("build.prefillHelp", { name: field.name })}
        value={way}
        choices={(["name", "names", "off"] as const).map((value) => ({ value, label: t(TEXTS[value]) }))}
        onChange={(next) => change(next)}
      />
      {way === "names" && (
        <TextField
          label={t("build.prefillParameters")}
          help={t("build.prefillParametersHelp")}
          code
          value={names}
          onChange={(text) => change("names", text)}
        />
      )}
    </>
  );
}
