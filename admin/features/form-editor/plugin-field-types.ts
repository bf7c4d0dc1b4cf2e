/** Field types that plugins add to the editor. Parts without the documented shape are ignored. */
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { editorPartsQuery } from "../../shared/api/resources.ts";
import type { Field } from "../../shared/draft/content.ts";
import { isRecord, listOf, textOf } from "../../shared/is-record.ts";
import { parseField } from "./model/clipboard.ts";

export interface PluginFieldType {
  /** Key, from the type's index in the list. */
  readonly id: string;
  readonly label: string;
  readonly field: Field;
}

/** Parses the types of `GET /editor`. */
const parseTypes = (types: unknown): readonly PluginFieldType[] =>
  listOf(types).flatMap((entry, index) => {
    if (!isRecord(entry) || textOf(entry["label"]) === "") return [];
    const field = parseField({
      label: entry["label"],
      ...(isRecord(entry["field"]) ? entry["field"] : {}),
      type: entry["type"],
      name: "new",
    });
    return field === null ? [] : [{ id: `plugin-${index}`, label: textOf(entry["label"]), field }];
  });

export function usePluginFieldTypes(): readonly PluginFieldType[] {
  const { data } = useQuery(editorPartsQuery(useClient()));
  return useMemo(() => parseTypes(data?.field_types), [data]);
}
