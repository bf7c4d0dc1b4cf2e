/** What the fields do not say of an author's HTML. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { MessageText } from "./message-text.tsx";
import type { Converted } from "./stored-content.ts";

export function Lost({ items }: { readonly items: Converted["lost"] }): ReactNode {
  const t = useText();
  return items.length === 0 ? (
    <p>{t("build.nothingLost")}</p>
  ) : (
    <>
      <p>{t("build.lost")}</p>
      <ul className="bullets">
        {items.map(({ message }, index) => (
          <li key={index}>
            <MessageText text={message} />
          </li>
        ))}
      </ul>
    </>
  );
}
