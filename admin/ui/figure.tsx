/** Frame of a chart: its title, its values as a table, and downloads of the chart and of the values. */
import { type ReactNode, useRef, useState } from "react";
import { useFormats } from "../shared/text/format.ts";
import { useText } from "../shared/text/text.tsx";
import { saveFile } from "./copy.tsx";
import { Menu } from "./overlays.tsx";
import { keyed } from "../shared/keyed.ts";

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
  /** Index in the palette of the styles. */
  readonly tone: 1 | 2 | 3 | 4;
  /** Whether the line is dashed, as for a comparison. */
  readonly dashed?: boolean;
}

export interface FigureProps {
  readonly title: string;
  /** Label of each value, such as a day or an option. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Heading of the table's column of labels. */
  readonly labelHeading: string;
  /** Whether there is no legend, as for a chart that draws only one series. */
  readonly hidesLegend?: boolean;
  readonly children: ReactNode;
}

export function Figure({ title, labels, series, labelHeading, hidesLegend = false, children }: FigureProps): ReactNode {
  const t = useText();
  const figure = useRef<HTMLElement>(null);
  const [showsTable, setShowsTable] = useState(false);
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  const saveCsv = () => {
    saveFile(`${name}.csv`, new Blob(["\ufeff", csvOf({ labels, series, labelHeading })], { type: "text/csv" }));
  };
  const saveSvg = () => {
    const drawn = figure.current?.querySelector<SVGSVGElement>("svg.chart");
    if (drawn !== null && drawn !== undefined)
      saveFile(`${name}.svg`, new Blob([standalone(drawn)], { type: "image/svg+xml" }));
  };
  return (
    <figure className="figure" ref={figure}>
      <div className="row apart nowrap">
        <figcaption>{title}</figcaption>
        {labels.length === 0 ? null : (
          <Menu
            label={t("chart.menu", { title })}
            entries={[
              {
                id: "table",
                label: showsTable ? t("chart.hideTable") : t("chart.showTable"),
                onAction: () => setShowsTable(!showsTable),
              },
              { id: "csv", label: t("chart.save", { format: "CSV" }), icon: "download", onAction: saveCsv },
              { id: "svg", label: t("chart.save", { format: "SVG" }), icon: "download", onAction: saveSvg },
            ]}
          />
        )}
      </div>
      {series.length > 1 && !hidesLegend ? (
        <div className="legend" aria-hidden="true">
          {series.map(({ label, tone, dashed = false }) => (
            <span key={label}>
              <i className={`swatch tone-${tone}`} data-dashed={dashed || undefined} />
              {label}
            </span>
          ))}
        </div>
      ) : null}
      {children}
      {labels.length === 0 ? null : (
        <ValueTable title={title} labels={labels} series={series} labelHeading={labelHeading} isShown={showsTable} />
      )}
    </figure>
  );
}

type Values = Pick<FigureProps, "labels" | "series" | "labelHeading">;

/** The values as a table, for everyone who cannot see the chart. */
function ValueTable({
  title,
  labels,
  series,
  labelHeading,
  isShown,
}: Values & { readonly title: string; readonly isShown: boolean }): ReactNode {
  const formats = useFormats();
  return (
    <div className={isShown ? "scroll" : "chart-table"}>
      <table className="table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{labelHeading}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(labels).map(([key, label], index) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {series.map((column) => (
                <td key={column.label} className="number">
                  {formats.number(column.values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The values as CSV. */
function csvOf({ labels, series, labelHeading }: Values): string {
  const rows = [
    [labelHeading, ...series.map(({ label }) => label)],
    ...labels.map((label, index) => [label, ...series.map(({ values }) => String(values[index] ?? 0))]),
  ];
  return rows.map((row) => row.map(csvCell).join(",")).join("\r\n");
}

/** Quotes a CSV cell and keeps spreadsheets from running it as a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Serializes the chart with its light-theme styles inlined, so that it is legible on paper and in documents. */
function standalone(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as Element;
  const originals = [drawn, ...drawn.querySelectorAll("*")];
  drawn.style.colorScheme = "light";
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const { fill, stroke, strokeWidth, strokeDasharray, opacity, fontSize, fontWeight, fontFamily } =
      getComputedStyle(original);
    const stylesByTag: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      svg: { "font-family": fontFamily },
      g: {},
      title: {},
      text: { fill, "font-size": fontSize, "font-weight": fontWeight },
    };
    const styles = stylesByTag[element.tagName] ?? {
      fill,
      stroke,
      "stroke-width": strokeWidth,
      "stroke-dasharray": strokeDasharray,
      opacity,
    };
    for (const [attribute, value] of Object.entries(styles)) element.setAttribute(attribute, value);
    element.removeAttribute("class");
    element.removeAttribute("style");
  });
  drawn.style.colorScheme = "";
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}
