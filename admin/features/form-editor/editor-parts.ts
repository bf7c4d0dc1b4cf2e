/** What plugins add to the editor (`cf_editor_field_types`, `cf_editor_panels`); what is not as documented is passed over. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { editorPartsQuery } from "../../shared/api/resources.ts";
import { isRecord, readField } from "./model/clipboard.ts";
import type { Field, FieldType } from "./model/content.ts";
import { FIELD_TYPES } from "./model/field-types.ts";

export interface AddedType {
  /** Where it came in the list: its key. */
  readonly id: string;
  readonly label: string;
  readonly field: Field;
}

export interface PanelInput {
  /** The attribute of the field that holds it. */
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
  readonly types: readonly AddedType[];
  readonly panels: readonly Panel[];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses what `GET /editor` answers. */
export function readParts(answer: unknown): EditorParts {
  const { field_types, panels } = isRecord(answer) ? answer : {};
  return {
    types: list(field_types).flatMap((own, index) => {
      if (!isRecord(own) || text(own["label"]) === "") return [];
      const field = readField({
        label: own["label"],
        ...(isRecord(own["field"]) ? own["field"] : {}),
        type: own["type"],
        name: "new",
      });
      return field === null ? [] : [{ id: `plugin-${index}`, label: text(own["label"]), field }];
    }),
    panels: list(panels).flatMap((own) => {
      if (!isRecord(own)) return [];
      const types = Array.isArray(own["types"])
        ? FIELD_TYPES.filter((type) => list(own["types"]).includes(type))
        : null;
      const inputs = list(own["inputs"]).flatMap((input): readonly PanelInput[] => {
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
      return inputs.length === 0 ? [] : [{ title: text(own["title"]), types, inputs }];
    }),
  };
}

const NONE: EditorParts = { types: [], panels: [] };

export function useEditorParts(): EditorParts {
  const client = useClient();
  const { data } = useQuery(editorPartsQuery(client));
  return useMemo(() => (data === undefined ? NONE : readParts(data)), [data]);
}
