/** A message of the API; text between backticks becomes code. */
import type { ReactNode } from "react";

export function MessageText({ text }: { readonly text: string }): ReactNode {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
