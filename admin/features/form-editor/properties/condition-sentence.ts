/** Conditions of a field as a sentence, such as "Visible if Country is Germany". */
import type { Condition, Field } from "../../../shared/draft/content.ts";
import { labelOfName } from "../../../shared/field-label.ts";
import type { Translate } from "../../../shared/text/text.tsx";
import { type Group, type Rule, sentenceOf, takesValue } from "../../../ui/condition-tree.ts";

interface Texts {
  readonly t: Translate;
  /** Text of an operator, such as "is". */
  readonly operatorText: (operator: string) => string;
}

export function conditionSentence(
  conditions: readonly Condition[],
  fields: readonly Pick<Field, "name" | "label" | "options">[],
  { t, operatorText }: Texts,
): string {
  if (conditions.length === 0) return t("build.shownAlways");
  const sentence = sentenceOf(conditions);
  if (sentence === null) return t("build.shownByConditions");
  const valueText = (field: (typeof fields)[number] | undefined, value: unknown): string =>
    (Array.isArray(value) ? value : [value ?? ""])
      .map((one: unknown) => field?.options.find((option) => option.value === one)?.label || String(one))
      .join(", ");
  const ruleText = ({ field: name, operator, value }: Rule): string => {
    const field = fields.find((other) => other.name === name);
    const words = [labelOfName(fields, name), operatorText(operator)];
    return [...words, ...(takesValue(operator) ? [valueText(field, value)] : [])].join(" ");
  };
  const joined = (match: Group["match"], texts: readonly string[]): string =>
    texts.join(match === "any" ? t("build.or") : t("build.and"));
  const rules = sentence.items.map((item) =>
    "field" in item ? ruleText(item) : `(${joined(item.match, item.rules.map(ruleText))})`,
  );
  const text = joined(sentence.match, rules);
  return sentence.action === "hide" ? t("build.hiddenIf", { rules: text }) : t("build.shownIf", { rules: text });
}
