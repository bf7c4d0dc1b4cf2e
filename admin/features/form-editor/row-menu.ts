/** Menu of a row of the outline. */
import type { Field, Step } from "../../shared/draft/content.ts";
import { stepName } from "../../shared/draft/step-name.ts";
import { fieldTitle } from "../../shared/field-types.ts";
import type { LanguageCode } from "../../shared/text/languages.ts";
import type { Translate } from "../../shared/text/text.tsx";
import type { MenuEntry } from "../../ui/overlays.tsx";
import type { Row } from "./model/rows.ts";
import type { RowCommands } from "./use-row-commands.ts";

/** Limit on the groups that the menu lists. */
const MAX_GROUPS = 12;

export interface RowMenuParts {
  readonly steps: readonly Step[];
  readonly groups: readonly Field[];
  /** The latest commands, which the menu of a memoized row calls. */
  readonly commands: { readonly current: RowCommands };
  readonly t: Translate;
  readonly language: LanguageCode;
}

export function rowMenu(row: Row, parts: RowMenuParts): readonly (MenuEntry | null)[] {
  const { commands, t } = parts;
  const moves: readonly MenuEntry[] = [
    { id: "up", label: t("build.up"), icon: "up", onAction: () => commands.current.shift(row, -1) },
    { id: "down", label: t("build.down"), icon: "down", onAction: () => commands.current.shift(row, 1) },
  ];
  if (row.field === null) {
    const onAction = () => commands.current.removeStep(row);
    return [...moves, null, { id: "delete", label: t("build.removeStep"), icon: "trash", danger: true, onAction }];
  }
  return [
    ...moves,
    ...places(row, parts),
    null,
    { id: "duplicate", label: t("build.duplicate"), icon: "copy", onAction: () => commands.current.duplicate(row) },
    { id: "copy", label: t("common.copy"), onAction: () => commands.current.copy(row) },
    { id: "paste", label: t("build.paste"), onAction: () => commands.current.paste(row) },
    {
      id: "delete",
      label: t("common.delete"),
      icon: "trash",
      danger: true,
      onAction: () => commands.current.remove(row),
    },
  ];
}

/** Entries for the steps and groups that a field can move to, and for leaving its group. */
function places(row: Row, { steps, groups, commands, t, language }: RowMenuParts): readonly MenuEntry[] {
  return [
    ...steps
      .filter(({ id }) => id !== row.place.step || row.place.group !== null)
      .map(({ id }) => ({
        id: `to-${id}`,
        label: t("build.toStep", { step: stepName(steps, id, t) }),
        onAction: () => commands.current.moveTo(row, id, null),
      })),
    ...groups
      .filter(({ name }) => name !== row.id && name !== row.place.group)
      .slice(0, MAX_GROUPS)
      .map((group) => ({
        id: `into-${group.name}`,
        label: t("build.toGroup", { group: fieldTitle(group, language) }),
        onAction: () => commands.current.moveInto(row, group.name),
      })),
    ...(row.place.group === null || steps.length > 0
      ? []
      : [{ id: "out", label: t("build.outOfGroup"), onAction: () => commands.current.moveTo(row, null, null) }]),
  ];
}
