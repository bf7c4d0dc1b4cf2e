/** Field types and panels that plugins add to the editor. Parts that differ from the documentation are ignored. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { editorPartsQuery } from "../../shared/api/resources.ts";
import { listOf, type Panel, parsePanels, textOf } from "../../shared/editor-panels.ts";
import { isRecord } from "../../shared/is-record.ts";
import { parseField } from "./model/clipboard.ts";
import type { Field } from "../../shared/draft/content.ts";

export interface PluginFieldType {
  /** Key, from the type's index in the list. */
  readonly id: string;
  readonly label: string;
  readonly field: Field;
}

export interface EditorParts {
  readonly types: readonly PluginFieldType[];
  readonly panels: readonly Panel[];
}

/** Parses the response of `GET /editor`. */
export function parseParts(answer: unknown): EditorParts {
  const { field_types, panels } = isRecord(answer) ? answer : {};
  return {
    types: listOf(field_types).flatMap((entry, index) => {
      if (!isRecord(entry) || textOf(entry["label"]) === "") return [];
      const field = parseField({
        label: entry["label"],
        ...(isRecord(entry["field"]) ? entry["field"] : {}),
        type: entry["type"],
        name: "new",
      });
      return field === null ? [] : [{ id: `plugin-${index}`, label: textOf(entry["label"]), field }];
    }),
    panels: parsePanels(panels),
  };
}

const NONE: EditorParts = { types: [], panels: [] };

export function useEditorParts(): EditorParts {
  const client = useClient();
  const { data } = useQuery(editorPartsQuery(client));
  return useMemo(() => (data === undefined ? NONE : parseParts(data)), [data]);
}
