/** Allowed types of files: groups as chips, and further types as text. */
import { type ReactNode, useState } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { MultiChips } from "./chips.tsx";
import type { ControlProps } from "./control.tsx";
import {
  extensionNames,
  FILE_GROUPS,
  type FileGroupId,
  type FileTypes,
  parseOtherTypes,
  readFileTypes,
  writeFileTypes,
} from "./file-types.ts";
import type { TextControlProperty } from "./property.ts";
import { useInput } from "./use-input.ts";

const ANY = "any";
const OTHER = "other";

export default function FileTypesControl({
  property,
  field,
  id,
  label,
  onChange,
}: ControlProps<TextControlProperty>): ReactNode {
  const t = useText();
  const accept = property.read(field);
  const types = readFileTypes(accept);
  const [isOther, setIsOther] = useState(false);
  const isOtherShown = isOther || types.others.length > 0;
  const set = (next: FileTypes, mergeKey: string | null) =>
    onChange(property.write(field, writeFileTypes(next, accept)), mergeKey);
  const extensions = useExtensions(types.groups);
  const input = useInput({
    id,
    value: types.others,
    format: (others) => others.join(", "),
    parse: (text) => {
      const others = parseOtherTypes(text);
      return others === null ? { fault: t("build.files.otherFault") } : { value: others };
    },
    onChange: (others) => set({ ...types, others }, "other types"),
  });
  const choices = [
    ...Object.entries(FILE_GROUPS).map(([value, group]) => ({ value, label: t(group.label) })),
    { value: ANY, label: t("build.files.any") },
    { value: OTHER, label: t("build.files.other") },
  ];
  const toggle = (chip: string, isOn: boolean) => {
    if (chip === ANY || chip === OTHER) setIsOther(chip === OTHER && isOn);
    if (chip === OTHER && isOn) return;
    set(withChip(types, chip, isOn), null);
  };
  return (
    <>
      <MultiChips
        label={label}
        help={extensions}
        choices={choices}
        values={[...types.groups, ...(isOtherShown ? [OTHER] : []), ...(accept === "" && !isOther ? [ANY] : [])]}
        onChange={toggle}
      />
      {isOtherShown ? (
        <TextField
          label={t("build.files.otherTypes")}
          help={t("build.files.otherHelp")}
          value={input.text}
          fault={input.fault}
          onChange={input.change}
        />
      ) : null}
    </>
  );
}

/** Returns the types after a chip is turned on or off. If any type is allowed, none is listed. */
function withChip(types: FileTypes, chip: string, isOn: boolean): FileTypes {
  if (chip === ANY) return { groups: [], others: [] };
  if (chip === OTHER) return { ...types, others: [] };
  const group = chip as FileGroupId;
  return { ...types, groups: isOn ? [...types.groups, group] : types.groups.filter((one) => one !== group) };
}

/** Names of the file types that each group allows, unless its label already contains them. */
function useExtensions(groups: readonly FileGroupId[]): string | undefined {
  const t = useText();
  const listed = groups.filter((group) => group !== "pdf" && extensionNames(group) !== "");
  return listed.map((group) => `${t(FILE_GROUPS[group].label)}: ${extensionNames(group)}`).join(" · ") || undefined;
}
