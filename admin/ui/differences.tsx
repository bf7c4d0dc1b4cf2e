/** List of the differences between two contents, each with its kind in front. */
import { type ReactNode, useMemo } from "react";
import { useActionName } from "../shared/action-name.ts";
import type { Content } from "../shared/draft/content.ts";
import { type Difference, differenceOf } from "../shared/draft/difference.ts";
import { fieldTitle } from "../shared/field-types.ts";
import { useLanguage, useText, useTextOf } from "../shared/text/text.tsx";

/** Values longer than this are not shown. */
const MAX_VALUE_LENGTH = 40;

type Group = "added" | "changed" | "removed" | "settings" | "actions" | "messages";

export interface DifferencesProps {
  readonly before: Content;
  readonly after: Content;
}

export function Differences({ before, after }: DifferencesProps): ReactNode {
  const t = useText();
  const lineOf = useDifferenceLine();
  const language = useLanguage();
  const found = useMemo(
    () => differenceOf(before, after, (field) => fieldTitle(field, language)),
    [before, after, language],
  );
  if (found.length === 0) return <p className="help">{t("build.noDifference")}</p>;
  return (
    <ul className="differences">
      {found.map((difference, index) => {
        const { group, text } = lineOf(difference);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <li key={index} className={group}>
            <strong>{t(`change.${group}`)}</strong> <span>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns a function that describes each difference of two contents in one line. */
export function useDifferenceLines(): (before: Content, after: Content) => readonly string[] {
  const lineOf = useDifferenceLine();
  const language = useLanguage();
  return (before, after) =>
    differenceOf(before, after, (field) => fieldTitle(field, language)).map((difference) => lineOf(difference).text);
}

function useDifferenceLine(): (difference: Difference) => { readonly group: Group; readonly text: string } {
  const t = useText();
  const textOf = useTextOf();
  const actionName = useActionName();
  const valueOf = (value: unknown): string | null => {
    if (value === undefined || value === null || value === "" || value === 0) return t("change.none");
    if (typeof value === "boolean") return t(value ? "change.on" : "change.off");
    return (typeof value === "string" || typeof value === "number") && String(value).length <= MAX_VALUE_LENGTH
      ? String(value)
      : null;
  };
  return (difference) => {
    switch (difference.kind) {
      case "added":
      case "removed":
        return { group: difference.kind, text: difference.what };
      case "changed":
        return {
          group: "changed",
          text: `${difference.what}: ${difference.members.map((member) => textOf("build.member", member)).join(", ")}`,
        };
      case "moved":
        return { group: "changed", text: t("build.difference.moved") };
      case "other":
        return { group: "changed", text: textOf("build.difference.part", difference.what) };
      case "setting": {
        const [before, after] = [valueOf(difference.before), valueOf(difference.after)];
        const name = textOf("settings", difference.key);
        return { group: "settings", text: before === null || after === null ? name : `${name}: ${before} → ${after}` };
      }
      case "action":
        return {
          group: "actions",
          text:
            difference.change === "moved"
              ? t("build.difference.moved")
              : `${actionName(difference.type, difference.name)}: ${t(`change.${difference.change}`).toLowerCase()}`,
        };
      case "message":
        return { group: "messages", text: textOf("message", difference.key) };
    }
  };
}
