/** Field types and panels that plugins add to the editor. Parts that differ from the documentation are ignored. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { editorPartsQuery } from "../../shared/api/resources.ts";
import { isRecord } from "../../shared/is-record.ts";
import { parseField } from "./model/clipboard.ts";
import type { Field, FieldType } from "../../shared/draft/content.ts";
import { FIELD_TYPES } from "./model/field-types.ts";

export interface PluginFieldType {
  /** Key, from the type's index in the list. */
  readonly id: string;
  readonly label: string;
  readonly field: Field;
}

export interface PanelInput {
  /** Attribute of the field that stores the value. */
  readonly attribute: string;
  readonly label: string;
  readonly input: "text" | "textarea" | "select" | "checkbox";
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly help: string;
}

export interface Panel {
  readonly title: string;
  /** Null for fields of every type. */
  readonly types: readonly FieldType[] | null;
  readonly inputs: readonly PanelInput[];
}

export interface EditorParts {
  readonly types: readonly PluginFieldType[];
  readonly panels: readonly Panel[];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses the response of `GET /editor`. */
export function parseParts(answer: unknown): EditorParts {
  const { field_types, panels } = isRecord(answer) ? answer : {};
  return {
    types: list(field_types).flatMap((entry, index) => {
      if (!isRecord(entry) || text(entry["label"]) === "") return [];
      const field = parseField({
        label: entry["label"],
        ...(isRecord(entry["field"]) ? entry["field"] : {}),
        type: entry["type"],
        name: "new",
      });
      return field === null ? [] : [{ id: `plugin-${index}`, label: text(entry["label"]), field }];
    }),
    panels: list(panels).flatMap((entry) => {
      if (!isRecord(entry)) return [];
      const types = Array.isArray(entry["types"])
        ? FIELD_TYPES.filter((type) => list(entry["types"]).includes(type))
        : null;
      const inputs = list(entry["inputs"]).flatMap((input): readonly PanelInput[] => {
        if (!isRecord(input) || text(input["attribute"]) === "") return [];
        const kind =
          (["text", "textarea", "select", "checkbox"] as const).find((one) => one === input["input"]) ?? "text";
        const options = list(input["options"]).flatMap((option) =>
          typeof option === "string"
            ? [{ value: option, label: option }]
            : isRecord(option)
              ? [{ value: text(option["value"]), label: text(option["label"]) || text(option["value"]) }]
              : [],
        );
        return [
          {
            attribute: text(input["attribute"]),
            label: text(input["label"]) || text(input["attribute"]),
            input: kind,
            options,
            help: text(input["help"]),
          },
        ];
      });
      return inputs.length === 0 ? [] : [{ title: text(entry["title"]), types, inputs }];
    }),
  };
}

const NONE: EditorParts = { types: [], panels: [] };

export function useEditorParts(): EditorParts {
  const client = useClient();
  const { data } = useQuery(editorPartsQuery(client));
  return useMemo(() => (data === undefined ? NONE : parseParts(data)), [data]);
}
