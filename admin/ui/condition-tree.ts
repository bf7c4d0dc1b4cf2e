/** Conditions as sentences two levels deep: what holds together, some of it in groups. Deeper ones are code. */
import type { Condition } from "../../client/index.ts";

export type Rule = Extract<Condition, { readonly field: string }>;
export type Match = "all" | "any";

export interface Group {
  readonly match: Match;
  readonly rules: readonly Rule[];
}

export interface Sentence {
  readonly action: "show" | "hide";
  readonly match: Match;
  readonly items: readonly (Rule | Group)[];
}

const isRule = (condition: Condition): condition is Rule => "field" in condition;
const isPlain = ({ action }: Condition): boolean => action !== "hide";
const membersOf = (group: Exclude<Condition, Rule>): Group & { readonly members: readonly Condition[] } => {
  const match = "any" in group ? "any" : "all";
  const members = "any" in group ? group.any : group.all;
  return { match, members, rules: members.filter(isRule) };
};

/** Null where the conditions are nested deeper, or turn single rules round. */
export function sentenceOf(conditions: readonly Condition[]): Sentence | null {
  const [first] = conditions;
  const top = conditions.length === 1 && first !== undefined && !isRule(first) ? membersOf(first) : null;
  const action = top !== null && first?.action === "hide" ? "hide" : "show";
  const items: (Rule | Group)[] = [];
  for (const item of top?.members ?? conditions) {
    if (!isPlain(item)) return null;
    if (isRule(item)) items.push(item);
    else {
      const { match, members, rules } = membersOf(item);
      if (rules.length !== members.length || !rules.every(isPlain)) return null;
      items.push({ match, rules });
    }
  }
  return { action, match: top?.match ?? "all", items };
}

/** The conditions that the sentence says; groups without rules are left out. */
export function conditionsOf({ action, match, items }: Sentence): readonly Condition[] {
  const said = items.flatMap((item): readonly Condition[] => {
    if ("field" in item) return [item];
    return item.rules.length === 0 ? [] : [group(item.match, item.rules)];
  });
  const [first] = said;
  if (first === undefined) return [];
  // One group alone would be read as the whole sentence.
  const isList = action === "show" && match === "all" && (said.length > 1 || isRule(first));
  if (isList) return said;
  return [{ ...group(match, said), ...(action === "hide" ? { action } : {}) }];
}

const group = (match: Match, members: readonly Condition[]): Exclude<Condition, Rule> =>
  match === "any" ? { any: members } : { all: members };

const FOR_ALL = ["equals", "not_equals", "is_empty", "is_not_empty"] as const;
const FOR_TEXTS = ["contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "matches"] as const;
const FOR_NUMBERS = ["greater_than", "less_than", "greater_or_equal", "less_or_equal"] as const;
const FOR_DATES = ["before", "after"] as const;
const FOR_BOXES = ["checked", "not_checked"] as const;

/** What can be asked of an answer of a type, the one in use included. */
export function operatorsFor(type: string | undefined, used: Rule["operator"]): readonly Rule["operator"][] {
  const operators = ((): readonly Rule["operator"][] => {
    switch (type) {
      case "consent":
        return FOR_BOXES;
      case "checkbox":
        return [...FOR_BOXES, "contains", "not_contains", ...FOR_ALL];
      case "radio":
      case "select":
        return [...FOR_ALL, "in", "not_in"];
      case "number":
      case "range":
      case "rating":
        return [...FOR_ALL, ...FOR_NUMBERS];
      case "date":
      case "time":
      case "datetime-local":
        return [...FOR_ALL, ...FOR_DATES];
      case "file":
        return ["is_empty", "is_not_empty"];
      case undefined:
        return [...FOR_ALL, ...FOR_TEXTS, ...FOR_NUMBERS, ...FOR_DATES, ...FOR_BOXES];
      default:
        return [...FOR_ALL, ...FOR_TEXTS, ...FOR_NUMBERS];
    }
  })();
  return operators.includes(used) ? operators : [...operators, used];
}

const WITHOUT_VALUE: ReadonlySet<string> = new Set(["is_empty", "is_not_empty", "checked", "not_checked"]);
export const takesValue = (operator: string): boolean => !WITHOUT_VALUE.has(operator);
export const takesList = (operator: string): boolean => operator === "in" || operator === "not_in";

/** The condition that a field begins with. */
export function firstRule(field: {
  readonly name: string;
  readonly type: string;
  readonly options: readonly { readonly value: string }[];
}): Rule {
  const operator = operatorsFor(field.type, "equals").includes("checked")
    ? "checked"
    : field.type === "file"
      ? "is_not_empty"
      : "equals";
  return { field: field.name, operator, ...(takesValue(operator) ? { value: field.options[0]?.value ?? "" } : {}) };
}
