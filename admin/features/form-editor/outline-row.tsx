/** Content of a row in the outline. */
import type { ReactNode } from "react";
import { Button as AriaButton, ButtonContext } from "react-aria-components/Button";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import { typeName } from "../../shared/field-types.ts";
import type { Row } from "./model/rows.ts";
import { type LiveSelection, useIsSelected } from "./selection.ts";
import { TypeIcon } from "./type-icon.tsx";

interface OutlineRowProps {
  readonly row: Row;
  readonly name: string;
  readonly live: LiveSelection;
  readonly entries: readonly (MenuEntry | null)[];
}

/** The handle, type, name, marks and menu of a row. */
export function OutlineRow({ row, name, live, entries }: OutlineRowProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const type = row.field === null ? null : typeName(row.field.type, language);
  return (
    <>
      <AriaButton slot="drag" className="build-handle" aria-label={t("build.drag", { name })}>
        <Icon name="menu" />
      </AriaButton>
      {row.field === null || type === null ? (
        <span className="build-step-number" aria-hidden="true">
          {row.number}
        </span>
      ) : (
        <span className="build-row-type" title={type}>
          <TypeIcon type={row.field.type} />
        </span>
      )}
      <RowLabel live={live} row={row} label={name} />
      {type === null ? null : <span className="visually-hidden">{type}</span>}
      <RowMarks row={row} />
      <ButtonContext value={null}>
        <Menu label={t("build.menu", { name })} entries={entries} />
      </ButtonContext>
    </>
  );
}

/** Marks of a field: required, changed, conditional, or with a broken condition. */
function RowMarks({ row: { field, isChanged, isBroken } }: Pick<OutlineRowProps, "row">): ReactNode {
  const t = useText();
  return (
    <>
      {field?.required === true ? (
        <span className="build-row-required" title={t("build.required")}>
          <span aria-hidden="true">*</span>
          <span className="visually-hidden">{t("build.required")}</span>
        </span>
      ) : null}
      {isChanged ? (
        <span className="build-row-changed" title={t("build.changed")}>
          <span className="visually-hidden">{t("build.changed")}</span>
        </span>
      ) : null}
      {field === null || field.conditions.length === 0 ? null : (
        <Badge tone={isBroken ? "bad" : "info"}>{t(isBroken ? "build.brokenCondition" : "build.conditional")}</Badge>
      )}
    </>
  );
}

interface RowLabelProps {
  readonly live: LiveSelection;
  readonly row: Row;
  readonly label: string;
}

/** Label of a row. The attribute `data-chosen` tells the style sheet whether the row is selected. */
function RowLabel({ live, row, label }: RowLabelProps): ReactNode {
  return (
    <span className="clip build-row-label" data-chosen={useIsSelected(live, row.id) || undefined}>
      {label}
    </span>
  );
}
