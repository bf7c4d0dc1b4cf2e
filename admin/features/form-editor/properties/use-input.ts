/** Text of an input whose value must be parsed. Invalid text stays as typed, also while another field is selected. */
import { useState } from "react";
import { isDeepEqual } from "../../../shared/draft/deep-equal.ts";

/** A parsed value, or the fault of the text. */
export type Parsed<Value> = { readonly value: Value } | { readonly fault: string };

/** Invalid texts by form, field and property, for as long as the page is open. */
const invalidTexts = new Map<string, string>();

/** Limit on the remembered texts; the oldest is dropped first. */
const MAX_INVALID_TEXTS = 200;

/** Returns the invalid text that was typed into an input; null if there is none. */
export const invalidText = (id: string): string | null => invalidTexts.get(id) ?? null;

/** Remembers the invalid text of an input; null forgets it. */
export function setInvalidText(id: string, text: string | null): void {
  invalidTexts.delete(id);
  if (text === null) return;
  invalidTexts.set(id, text);
  const [oldest] = invalidTexts.keys();
  if (invalidTexts.size > MAX_INVALID_TEXTS && oldest !== undefined) invalidTexts.delete(oldest);
}

export interface InputOptions<Value> {
  /** Key of the input, unique on the page. */
  readonly id: string;
  readonly value: Value;
  readonly format: (value: Value) => string;
  readonly parse: (text: string) => Parsed<Value>;
  readonly onChange: (value: Value) => void;
}

export interface InputState {
  readonly text: string;
  readonly fault: string | undefined;
  readonly change: (text: string) => void;
}

export function useInput<Value>({ id, value, format, parse, onChange }: InputOptions<Value>): InputState {
  const [typed, setTyped] = useState<string | null>(() => invalidText(id));
  const parsed = typed === null ? null : parse(typed);
  // After an undo elsewhere, the stored value replaces the typed text.
  const isTyped = typed !== null && parsed !== null && ("fault" in parsed || isDeepEqual(parsed.value, value));
  return {
    text: isTyped ? typed : format(value),
    fault: isTyped && "fault" in parsed ? parsed.fault : undefined,
    change(text) {
      setTyped(text);
      const next = parse(text);
      if ("fault" in next) {
        setInvalidText(id, text);
        return;
      }
      setInvalidText(id, null);
      if (!isDeepEqual(next.value, value)) onChange(next.value);
    },
  };
}

/** Formats a number for an input, with the decimal mark of the language. */
export const formatNumber = (value: number | null, language: string): string =>
  value === null ? "" : language === "de" ? String(value).replace(".", ",") : String(value);

/** Parses a number with either decimal mark; null for an empty text, undefined for anything else. */
export function parseNumber(text: string): number | null | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed))
    ? Number(trimmed)
    : undefined;
}
