/** Warnings about parts of the author's HTML that the fields cannot hold. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { MessageText } from "./message-text.tsx";
import type { Converted } from "../../shared/draft/stored-content.ts";

export function ConversionWarnings({ warnings }: { readonly warnings: Converted["lost"] }): ReactNode {
  const t = useText();
  return warnings.length === 0 ? (
    <p>{t("build.nothingLost")}</p>
  ) : (
    <>
      <p>{t("build.lost")}</p>
      <ul className="bullets">
        {warnings.map(({ message }, index) => (
          <li key={index}>
            <MessageText text={message} />
          </li>
        ))}
      </ul>
    </>
  );
}
