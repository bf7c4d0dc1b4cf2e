/** A message of the API; text between backticks becomes code. */
import type { ReactNode } from "react";
import { keyed } from "../../shared/keyed.ts";

export function MessageText({ text }: { readonly text: string }): ReactNode {
  return keyed(text.split("`")).map(([key, part], index) => (index % 2 === 0 ? part : <code key={key}>{part}</code>));
}
