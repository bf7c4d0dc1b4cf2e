/** Warnings about parts of the author's HTML that the fields cannot hold. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { MessageText } from "./message-text.tsx";
import type { Converted } from "../../shared/draft/stored-content.ts";
import { keyed } from "../../shared/keyed.ts";

export function ConversionWarnings({ warnings }: { readonly warnings: Converted["lost"] }): ReactNode {
  const t = useText();
  return warnings.length === 0 ? (
    <p>{t("build.nothingLost")}</p>
  ) : (
    <>
      <p>{t("build.lost")}</p>
      <ul className="bullets">
        {keyed(warnings, ({ message }) => message).map(([key, { message }]) => (
          <li key={key}>
            <MessageText text={message} />
          </li>
        ))}
      </ul>
    </>
  );
}
