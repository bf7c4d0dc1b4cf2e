/** Charts as SVG, each with the table that it draws, to read, to hear, and to take away. */
import { type ReactNode, useId, useRef, useState } from "react";
import { scaleBand, scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useFormats } from "../text/format.ts";
import { useText } from "../text/text.tsx";
import { saveFile } from "./copy.tsx";
import { Menu } from "./overlays.tsx";

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
  /** A number of the style's palette; dashed ones are for comparison. */
  readonly tone: 1 | 2 | 3 | 4;
  readonly dashed?: boolean;
}

export interface FigureProps {
  readonly title: string;
  /** What each value belongs to, such as days or options. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly first: string;
  readonly children: ReactNode;
}

/** The frame of a chart: title, menu, and the table behind it. */
export function Figure({ title, labels, series, first, children }: FigureProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const figure = useRef<HTMLElement>(null);
  const [showsTable, setShowsTable] = useState(false);
  const name = title.toLowerCase().replace(/\W+/g, "-");
  const saveCsv = () => {
    const cell = (text: string) => `"${(/^[=+\-@\t]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const rows = [[first, ...series.map(({ label }) => label)], ...labels.map((label, index) => [label, ...series.map(({ values }) => String(values[index] ?? 0))])];
    saveFile(`${name}.csv`, new Blob([rows.map((row) => row.map(cell).join(",")).join("\r\n")], { type: "text/csv" }));
  };
  const saveSvg = () => {
    const drawn = figure.current?.querySelector("svg.chart");
    if (drawn !== null && drawn !== undefined) saveFile(`${name}.svg`, new Blob([standalone(drawn)], { type: "image/svg+xml" }));
  };
  return (
    <figure className="figure" ref={figure}>
      <div className="row apart">
        <figcaption>{title}</figcaption>
        <Menu
          label={t("chart.menu", { title })}
          entries={[
            { id: "table", label: showsTable ? t("chart.hideTable") : t("chart.showTable"), onAction: () => setShowsTable(!showsTable) },
            { id: "csv", label: "CSV", icon: "download", onAction: saveCsv },
            { id: "svg", label: "SVG", icon: "download", onAction: saveSvg },
          ]}
        />
      </div>
      {series.length > 1 ? <div className="legend" aria-hidden="true">{series.map(({ label, tone, dashed = false }) => <span key={label}><i className={`swatch tone-${tone}`} data-dashed={dashed || undefined} />{label}</span>)}</div> : null}
      {children}
      <div className={showsTable ? "scroll" : "chart-table"}>
        <table className="table">
          <caption className="visually-hidden">{title}</caption>
          <thead><tr><th scope="col">{first}</th>{series.map(({ label }) => <th key={label} scope="col">{label}</th>)}</tr></thead>
          <tbody>{labels.map((label, index) => <tr key={label + index}><th scope="row">{label}</th>{series.map((own) => <td key={own.label} className="number">{formats.number(own.values[index] ?? 0)}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </figure>
  );
}

/** The drawing with the colours that it has on the page, so that it looks the same elsewhere. */
function standalone(drawn: Element): string {
  const copy = drawn.cloneNode(true) as Element;
  const originals = [drawn, ...drawn.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const { fill, stroke, strokeWidth, strokeDasharray, fontSize, fontFamily } = getComputedStyle(original);
    for (const [attribute, value] of Object.entries({ fill, stroke, "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray, "font-size": fontSize, "font-family": fontFamily })) element.setAttribute(attribute, value);
    element.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

const WIDTH = 480;
const HEIGHT = 210;
const EDGE = { top: 10, right: 8, bottom: 24, left: 42 };

/** Days on a line. */
export function LineChart({ labels, series, title }: { readonly labels: readonly string[]; readonly series: readonly Series[]; readonly title: string }): ReactNode {
  const formats = useFormats();
  const id = useId();
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = scaleLinear([0, Math.max(1, labels.length - 1)], [EDGE.left, WIDTH - EDGE.right]);
  const y = scaleLinear([0, top], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  const path = line<number>().x((_, index) => x(index)).y((value) => y(value));
  const ticks = y.ticks(4).filter(Number.isInteger);
  const every = Math.max(1, Math.ceil(labels.length / 4));
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {ticks.map((tick) => <g key={tick}><line className="rule" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} /><text className="tick" x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">{formats.number(tick)}</text></g>)}
      {labels.map((label, index) => (index % every === 0 ? <text key={label} className="tick" x={x(index)} y={HEIGHT - 6} textAnchor={index === 0 ? "start" : "middle"}>{label}</text> : null))}
      {series.map(({ label, values, tone, dashed = false }) => <path key={label} className={`line tone-${tone}`} data-dashed={dashed || undefined} d={path([...values]) ?? ""} />)}
    </svg>
  );
}

/** Bars beside each other, for histograms. */
export function ColumnChart({ labels, values, title }: { readonly labels: readonly string[]; readonly values: readonly number[]; readonly title: string }): ReactNode {
  const formats = useFormats();
  const id = useId();
  const x = scaleBand(labels.map((_, index) => index), [EDGE.left, WIDTH - EDGE.right]).padding(0.15);
  const y = scaleLinear([0, Math.max(1, ...values)], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  const every = Math.max(1, Math.ceil(labels.length / 6));
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {y.ticks(4).filter(Number.isInteger).map((tick) => <g key={tick}><line className="rule" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} /><text className="tick" x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">{formats.number(tick)}</text></g>)}
      {values.map((value, index) => <rect key={labels[index]} className="bar tone-1" x={x(index)} y={y(value)} width={x.bandwidth()} height={Math.max(0, y(0) - y(value))} rx={2} />)}
      {labels.map((label, index) => (index % every === 0 ? <text key={label} className="tick" x={(x(index) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6} textAnchor="middle">{label}</text> : null))}
    </svg>
  );
}

const BAR = 30;

/** Bars below each other, with their words and numbers, for choices and funnels. */
export function BarChart({ labels, values, notes, title }: { readonly labels: readonly string[]; readonly values: readonly number[]; readonly notes?: readonly string[]; readonly title: string }): ReactNode {
  const formats = useFormats();
  const id = useId();
  const x = scaleLinear([0, Math.max(1, ...values)], [0, WIDTH - 110]);
  const height = labels.length * (BAR + 22);
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${Math.max(height, 1)}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {labels.map((label, index) => {
        const top = index * (BAR + 22);
        const value = values[index] ?? 0;
        const note = notes?.[index] ?? "";
        return (
          <g key={label + index}>
            <text className="bar-label" x={0} y={top + 14}>{label.length > 56 ? `${label.slice(0, 55)}…` : label}</text>
            <rect className="bar-back" x={0} y={top + 20} width={WIDTH - 110} height={BAR - 10} rx={4} />
            <rect className="bar tone-1" x={0} y={top + 20} width={x(value)} height={BAR - 10} rx={4} />
            <text className="bar-label" x={WIDTH} y={top + 35} textAnchor="end">{formats.number(value)}{note === "" ? "" : ` · ${note}`}</text>
          </g>
        );
      })}
    </svg>
  );
}
