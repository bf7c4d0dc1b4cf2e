/** Actions of outline and preview on fields: add, move, copy, remove. Screen readers announce additions and moves. */
import { useMemo, useRef, useState } from "react";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { usePluginFieldTypes } from "./plugin-field-types.ts";
import { FieldEdits } from "./field-edits.ts";
import type { Field } from "../../shared/draft/content.ts";
import type { Target } from "../../shared/draft/tree.ts";
import type { Width } from "./model/width.ts";
import type { Draft } from "../../shared/draft/draft.ts";

/** Drag types of the palette's items and of fields. */
export const TYPE_DRAG = "application/x-cf-field-type";
export const FIELD_DRAG = "application/x-cf-field";

/** Joins the names of dragged fields to one text, a name per line. No name contains a line break. */
export const joinNames = (names: readonly string[]): string => names.join("\n");
export const namesIn = (dragged: string): readonly string[] => dragged.split("\n");

export interface FieldActions {
  /** Description of the last addition or move, for screen readers. */
  readonly announcement: string;
  /** Adds a field of a type; `beside` is a field to share a row with. */
  addType(type: string, target: Target, beside?: string | null): void;
  move(names: readonly string[], target: Target, beside?: string | null): void;
  /** Moves fields together one place up or down; at an end, they stay. */
  shift(names: readonly string[], by: 1 | -1): void;
  insert(fields: readonly Field[], target: Target): void;
  remove(names: readonly string[]): void;
  /** Removes fields, except those in `kept`, which become hidden fields so that their answers stay visible. */
  hide(kept: readonly string[], names: readonly string[]): void;
  setWidth(names: readonly string[], width: Width): void;
  serialize(names: readonly string[]): string;
  paste(text: string, target: Target): void;
}

export function useFieldActions(editor: Draft, onSelect: (keys: ReadonlySet<string>) => void): FieldActions {
  const t = useText();
  const language = useLanguage();
  const notices = useNotices();
  const [announcement, setAnnouncement] = useState("");
  const types = usePluginFieldTypes();
  const latest = useRef({ editor, onSelect, types, language });
  latest.current = { editor, onSelect, types, language };
  const edits = useMemo(() => new FieldEdits(latest, t, notices, setAnnouncement), [t, notices]);
  return useMemo(() => ({ ...edits, announcement }), [edits, announcement]);
}
