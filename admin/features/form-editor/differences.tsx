/** List of the differences between two contents. */
import type { ReactNode } from "react";
import { type Translate, useText, useTextOf } from "../../shared/text/text.tsx";
import type { Content } from "./model/content.ts";
import { type Difference, differenceOf } from "./model/difference.ts";

export function Differences({ before, after }: { readonly before: Content; readonly after: Content }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const found = differenceOf(before, after);
  if (found.length === 0) return <p className="help">{t("build.noDifference")}</p>;
  return (
    <ul className="bullets">
      {found.map((difference, index) => (
        <li key={index}>{lineOf(t, textOf, difference)}</li>
      ))}
    </ul>
  );
}

function lineOf(t: Translate, textOf: ReturnType<typeof useTextOf>, { kind, what, members }: Difference): string {
  if (kind === "other") return textOf("build.difference.part", what);
  return t(`build.difference.${kind}`, {
    what,
    members: members.map((member) => textOf("build.member", member)).join(", "),
  });
}
