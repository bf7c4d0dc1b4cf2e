/** Maximum size of a file, in KB or MB. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../../shared/api/client.ts";
import { uploadLimitQuery } from "../../../shared/api/resources.ts";
import { useLanguage, useText } from "../../../shared/text/text.tsx";
import { Select, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import { bytesIn, sizeIn, type Unit, unitOf, UNITS } from "./file-size.ts";
import type { BytesProperty } from "./property.ts";
import { formatNumber, parseNumber, useInput } from "./use-input.ts";

export default function BytesControl({ property, field, id, label, onChange }: ControlProps<BytesProperty>): ReactNode {
  const t = useText();
  const language = useLanguage();
  const client = useClient();
  const { data: limit = null } = useQuery(uploadLimitQuery(client));
  const bytes = property.read(field);
  const [unit, setUnit] = useState<Unit>(() => unitOf(bytes));
  const set = (value: number | null) => onChange(property.write(field, value));
  const sizeText = (value: number): string => {
    const shown = unitOf(value);
    return `${formatNumber(Number(sizeIn(value, shown).toFixed(1)), language)} ${shown}`;
  };
  const input = useInput<number | null>({
    id,
    value: bytes,
    format: (value) => formatNumber(value === null ? null : sizeIn(value, unit), language),
    parse(text) {
      const size = parseNumber(text);
      if (size === null) return { value: null };
      if (size === undefined || size <= 0) return { fault: t("build.notASize") };
      return { value: bytes !== null && sizeIn(bytes, unit) === size ? bytes : bytesIn(size, unit) };
    },
    onChange: set,
  });
  const changeUnit = (next: Unit) => {
    setUnit(next);
    const size = parseNumber(input.text);
    if (typeof size === "number" && size > 0) set(bytesIn(size, next));
  };
  const isAboveLimit = limit !== null && bytes !== null && bytes > limit;
  return (
    <div className="build-size">
      <TextField
        label={label}
        inputMode="decimal"
        placeholder={t("build.none")}
        help={limit === null ? t("build.files.perFile") : t("build.files.perFileLimit", { limit: sizeText(limit) })}
        fault={input.fault ?? (isAboveLimit ? t("build.files.aboveLimit", { limit: sizeText(limit) }) : undefined)}
        value={input.text}
        onChange={input.change}
      />
      <Select
        label={t("build.files.unit")}
        hideLabel
        value={unit}
        choices={UNITS.map((value) => ({ value, label: value }))}
        onChange={(value) => changeUnit(value === "KB" ? "KB" : "MB")}
      />
    </div>
  );
}
