/** Conditions as sentences of two levels: rules and groups of rules. Deeper conditions are edited as JSON. */
import type { Condition } from "../../client/index.ts";
import { factsOf } from "../shared/field-facts.ts";

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

/** Converts conditions to a sentence; null if they are nested deeper, or if a single rule hides. */
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

/** Converts a sentence to conditions; groups without rules are left out. */
export function conditionsOf({ action, match, items }: Sentence): readonly Condition[] {
  const conditions = items.flatMap((item): readonly Condition[] => {
    if ("field" in item) return [item];
    return item.rules.length === 0 ? [] : [group(item.match, item.rules)];
  });
  const [first] = conditions;
  if (first === undefined) return [];
  // A list with only a group would be read back as the sentence itself.
  const isList = action === "show" && match === "all" && (conditions.length > 1 || isRule(first));
  if (isList) return conditions;
  return [{ ...group(match, conditions), ...(action === "hide" ? { action } : {}) }];
}

const group = (match: Match, members: readonly Condition[]): Exclude<Condition, Rule> =>
  match === "any" ? { any: members } : { all: members };

const FOR_ALL = ["equals", "not_equals", "is_empty", "is_not_empty"] as const;
const FOR_TEXTS = ["contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "matches"] as const;
const FOR_NUMBERS = ["greater_than", "less_than", "greater_or_equal", "less_or_equal"] as const;
const FOR_DATES = ["before", "after"] as const;
const FOR_BOXES = ["checked", "not_checked"] as const;

/** Returns the operators for a field type, including the one in use. */
export function operatorsFor(type: string | undefined, used: Rule["operator"]): readonly Rule["operator"][] {
  const operators = ((): readonly Rule["operator"][] => {
    if (type === undefined) return [...FOR_ALL, ...FOR_TEXTS, ...FOR_NUMBERS, ...FOR_DATES, ...FOR_BOXES];
    const facts = factsOf(type);
    switch (facts?.answer) {
      case "consent":
        return FOR_BOXES;
      case "choice":
        return facts.control === "boxes"
          ? [...FOR_BOXES, "contains", "not_contains", ...FOR_ALL]
          : [...FOR_ALL, "in", "not_in"];
      case "number":
      case "points":
        return [...FOR_ALL, ...FOR_NUMBERS];
      case "date":
      case "time":
      case "date-time":
        return [...FOR_ALL, ...FOR_DATES];
      case "files":
        return ["is_empty", "is_not_empty"];
      default:
        return [...FOR_ALL, ...FOR_TEXTS, ...FOR_NUMBERS];
    }
  })();
  return operators.includes(used) ? operators : [...operators, used];
}

const WITHOUT_VALUE: ReadonlySet<string> = new Set(["is_empty", "is_not_empty", "checked", "not_checked"]);
export const takesValue = (operator: string): boolean => !WITHOUT_VALUE.has(operator);
export const takesList = (operator: string): boolean => operator === "in" || operator === "not_in";

/** Returns the default rule for a field. */
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
