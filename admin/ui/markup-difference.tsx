/** Line diff of the author's HTML. */
import { type ReactNode, useMemo } from "react";
import { diffLines } from "diff";
import { useText } from "../shared/text/text.tsx";
import { keyed } from "../shared/keyed.ts";
import { Scrollable } from "./scrollable.tsx";

/** Context lines around a change. */
const CONTEXT_LINES = 2;

interface Line {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

export function linesOf(before: string, after: string): readonly Line[] {
  const parts = diffLines(before, after, { ignoreNewlineAtEof: true });
  return parts.flatMap(({ value, added, removed }, index): readonly Line[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added || removed) return lines.map((text) => ({ kind: added ? "added" : "removed", text }));
    const head = index === 0 ? 0 : CONTEXT_LINES;
    const tail = index === parts.length - 1 ? 0 : CONTEXT_LINES;
    const same = lines.map((text): Line => ({ kind: "same", text }));
    if (lines.length <= head + tail) return same;
    return [...same.slice(0, head), { kind: "gap", text: "…" }, ...(tail === 0 ? [] : same.slice(-tail))];
  });
}

const SIGNS = { same: " ", added: "+", removed: "−", gap: " " } as const;

export default function MarkupDifference({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): ReactNode {
  const t = useText();
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  if (before === after) return <p className="help">{t("build.noDifference")}</p>;
  return (
    <Scrollable label={t("build.markupDifference")} className="build-difference">
      <pre>
        {keyed(lines, ({ text }) => text).map(([key, { kind, text }]) => (
          <span key={key} className={kind}>{`${SIGNS[kind]} ${text}\n`}</span>
        ))}
      </pre>
    </Scrollable>
  );
}
