/** Items of the palette: field types, their variants, and types of plugins. */
import type { PaletteGroup } from "../../../client/field-kinds.ts";
import type { FieldType } from "../../shared/draft/content.ts";
import { useLanguage } from "../../shared/text/text.tsx";
import { usePluginFieldTypes } from "./plugin-field-types.ts";
import { PALETTE, typeName } from "../../shared/field-types.ts";

/** One thing that the palette adds: a type, a variant, or a plugin's type. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly type: FieldType;
  readonly group: PaletteGroup;
}

/** Everything that can be added, in the order of the palette. Types of plugins come last, in the group `files`. */
export function usePaletteItems(): readonly PaletteItem[] {
  const language = useLanguage();
  const types = usePluginFieldTypes();
  return [
    ...PALETTE.map(({ id, type, group }) => ({ id, type, group, label: typeName(id, language) })),
    ...types.map(({ id, label, field }) => ({ id, label, type: field.type, group: "files" as const })),
  ];
}

/** Returns the items that match the words. Matches at the beginning of a word come first. */
export function itemsFor(words: string, items: readonly PaletteItem[]): readonly PaletteItem[] {
  const normalized = (text: string): string => text.trim().toLowerCase().replaceAll("-", "");
  const query = normalized(words);
  const rank = ({ id, label }: PaletteItem): number => {
    const text = ` ${normalized(label)} ${normalized(id)}`;
    return text.includes(` ${query}`) ? 0 : text.includes(query) ? 1 : 2;
  };
  return items.filter((item) => rank(item) < 2).sort((one, other) => rank(one) - rank(other));
}
