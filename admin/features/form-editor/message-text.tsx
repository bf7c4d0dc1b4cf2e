/** A sentence of the API, with what it has between backticks as code. */
import type { ReactNode } from "react";

export function MessageText({ text }: { readonly text: string }): ReactNode {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
