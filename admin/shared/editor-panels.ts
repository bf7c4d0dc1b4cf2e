/** Panels with properties of fields that plugins add to the editor. Parts without the documented shape are ignored. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./api/client.ts";
import { editorPartsQuery } from "./api/resources.ts";
import type { Field } from "./draft/content.ts";
import { isRecord, listOf, textOf } from "./is-record.ts";

export interface PanelInput {
  /** Attribute of the field that stores the value. */
  readonly attribute: string;
  readonly label: string;
  readonly input: "text" | "textarea" | "select" | "checkbox";
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly help: string;
  readonly required: boolean;
}

export interface Panel {
  readonly title: string;
  /** Null for fields of every type. */
  readonly types: readonly string[] | null;
  readonly inputs: readonly PanelInput[];
}

/** Parses the panels of `GET /editor`. */
function parsePanels(panels: unknown): readonly Panel[] {
  return listOf(panels).flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const { title, types } = entry;
    const inputs = listOf(entry["inputs"]).flatMap(parseInput);
    const known = Array.isArray(types) ? types.map(textOf) : null;
    return inputs.length === 0 ? [] : [{ title: textOf(title), types: known, inputs }];
  });
}

function parseInput(input: unknown): readonly PanelInput[] {
  if (!isRecord(input)) return [];
  const attribute = textOf(input["attribute"]);
  const kind = (["text", "textarea", "select", "checkbox"] as const).find((one) => one === input["input"]) ?? "text";
  const options = listOf(input["options"]).flatMap((option) =>
    typeof option === "string"
      ? [{ value: option, label: option }]
      : isRecord(option)
        ? [{ value: textOf(option["value"]), label: textOf(option["label"]) || textOf(option["value"]) }]
        : [],
  );
  const label = textOf(input["label"]) || attribute;
  const required = input["required"] === true;
  return attribute === "" ? [] : [{ attribute, label, input: kind, options, help: textOf(input["help"]), required }];
}

export const panelsOf = (panels: readonly Panel[], { type }: Pick<Field, "type">): readonly Panel[] =>
  panels.filter(({ types }) => types === null || types.includes(type));

/** Whether a required property of a field has no value. */
export const isMissing = ({ attribute, required }: PanelInput, { attributes }: Pick<Field, "attributes">): boolean =>
  required && (attributes[attribute] ?? "").trim() === "";

export function usePanels(): readonly Panel[] {
  const { data } = useQuery(editorPartsQuery(useClient()));
  return useMemo(() => parsePanels(data?.panels), [data]);
}

/** A field without a required property. */
export interface IncompleteField {
  readonly field: Field;
  readonly label: string;
}

/** Lists the required properties of plugins that fields lack. */
export function useIncompleteFields(fields: readonly Field[]): readonly IncompleteField[] {
  const panels = usePanels();
  return fields.flatMap((field) =>
    panelsOf(panels, field)
      .flatMap(({ inputs }) => inputs)
      .filter((input) => isMissing(input, field))
      .map(({ label }) => ({ field, label })),
  );
}
