/**
 * A message of the API in the user's language. A known error of a connection is explained. A message without a
 * translation stays English and is marked so.
 */
import type { ReactNode } from "react";
import { deliveryProblem } from "../../client/delivery-problem.ts";
import { useApiMessage } from "../shared/text/api-message.ts";
import { useLanguage, useText } from "../shared/text/text.tsx";

export function ApiMessage({ children }: { readonly children: string }): ReactNode {
  const translate = useApiMessage();
  const language = useLanguage();
  const t = useText();
  const problem = deliveryProblem(children);
  if (problem !== null) return t(`delivery.problem.${problem}`);
  const translated = translate(children);
  return language === "en" || translated !== null ? (translated ?? children) : <span lang="en">{children}</span>;
}

/** The original text of an error that {@link ApiMessage} explains; nothing for another message. */
export function OriginalMessage({ children }: { readonly children: string }): ReactNode {
  return deliveryProblem(children) === null ? null : (
    <p className="muted" lang="en">
      <code>{children}</code>
    </p>
  );
}
