/** Width of a field in its row. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { type Width, WIDTHS } from "../model/width.ts";
import { Chips } from "./chips.tsx";

const SIGNS: Readonly<Record<Exclude<Width, "">, string>> = { "cf-half": "½", "cf-third": "⅓", "cf-two-thirds": "⅔" };

export interface WidthChipsProps {
  /** Undefined if several fields have different widths. */
  readonly value: Width | undefined;
  readonly onChange: (width: Width) => void;
}

export function WidthChips({ value, onChange }: WidthChipsProps): ReactNode {
  const t = useText();
  return (
    <Chips
      label={t("build.width")}
      hideLabel
      isBar
      // No chip has this value.
      value={value ?? "mixed"}
      choices={WIDTHS.map((width) =>
        width === ""
          ? { value: width, label: t("build.widthFull") }
          : { value: width, label: SIGNS[width], name: t(`build.width.${width}`) },
      )}
      onChange={(width) => onChange(width as Width)}
    />
  );
}
