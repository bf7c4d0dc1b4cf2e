/** SVG charts that fill the width of their container, so that their text keeps its size. */
import { type PointerEvent, type ReactNode, useCallback, useId, useRef, useState } from "react";
import { scaleBand, scaleLinear, type ScaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useFormats } from "../shared/text/format.ts";
import type { Series } from "./figure.tsx";
import { keyed } from "../shared/keyed.ts";

const HEIGHT = 220;
const MARGIN = { top: 22, right: 8, bottom: 24, left: 40 };
/** Returns n such that every n-th label fits below the chart. */
function labelInterval(labels: readonly string[], width: number): number {
  const room = 20 + 7 * Math.max(1, ...labels.map(({ length }) => length));
  return Math.max(1, Math.ceil(labels.length / Math.max(2, Math.floor((width - MARGIN.left) / room))));
}

interface DrawingProps {
  readonly title: string;
  readonly height: number;
  readonly children: (width: number) => ReactNode;
  /** Called with the pointer's x coordinate; null when the pointer leaves. */
  readonly onMove?: (x: number | null) => void;
}

/** An SVG whose user units are CSS pixels. */
function Drawing({ title, height, children, onMove }: DrawingProps): ReactNode {
  const id = useId();
  const [width, setWidth] = useState(480);
  const observer = useRef<ResizeObserver | null>(null);
  const measured = useCallback((box: HTMLElement | null) => {
    observer.current?.disconnect();
    if (box === null) return;
    setWidth(Math.max(160, box.clientWidth));
    observer.current = new ResizeObserver(() => setWidth(Math.max(160, box.clientWidth)));
    observer.current.observe(box);
  }, []);
  const move = (event: PointerEvent<SVGSVGElement>) =>
    onMove?.(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <div ref={measured} className="chart-box">
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-labelledby={id}
        {...(onMove === undefined ? {} : { onPointerMove: move, onPointerLeave: () => onMove(null) })}
      >
        <title id={id}>{title}</title>
        {children(width)}
      </svg>
    </div>
  );
}

function GridLines({ y, width }: { readonly y: ScaleLinear<number, number>; readonly width: number }): ReactNode {
  const formats = useFormats();
  return y
    .ticks(4)
    .filter(Number.isInteger)
    .map((tick) => (
      <g key={tick}>
        <line className="rule" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
        <text className="tick" x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end">
          {formats.number(tick)}
        </text>
      </g>
    ));
}

export interface LineChartProps {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly title: string;
}

/** Line chart of values by day; the pointer shows the values of one day. */
export function LineChart({ labels, series, title }: LineChartProps): ReactNode {
  const formats = useFormats();
  const [pointed, setPointed] = useState<number | null>(null);
  const maxValue = Math.max(1, ...series.flatMap(({ values }) => values));
  const last = Math.max(1, labels.length - 1);
  const y = scaleLinear([0, maxValue], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  return (
    <Drawing title={title} height={HEIGHT} onMove={setPointed}>
      {(width) => {
        const x = scaleLinear([0, last], [MARGIN.left, width - MARGIN.right]);
        const path = line<number>()
          .x((_, index) => x(index))
          .y((value) => y(value));
        const below = area<number>()
          .x((_, index) => x(index))
          .y0(y(0))
          .y1((value) => y(value));
        const interval = labelInterval(labels, width);
        const day = pointed === null ? null : Math.min(labels.length - 1, Math.max(0, Math.round(x.invert(pointed))));
        return (
          <>
            <GridLines y={y} width={width} />
            {labels.map((label, index) =>
              index % interval === 0 ? (
                <text
                  key={label}
                  className="tick"
                  x={x(index)}
                  y={HEIGHT - 6}
                  textAnchor={index === 0 ? "start" : index > last - interval / 2 ? "end" : "middle"}
                >
                  {label}
                </text>
              ) : null,
            )}
            {series.map(({ label, values, tone, dashed = false }, seriesIndex) => (
              <g key={label} className={`tone-${tone}`}>
                {seriesIndex === 0 ? <path className="area" d={below([...values]) ?? ""} /> : null}
                <path className="line" data-dashed={dashed || undefined} d={path([...values]) ?? ""} />
                {day === null ? null : <circle className="dot" cx={x(day)} cy={y(values[day] ?? 0)} r={4} />}
              </g>
            ))}
            {day === null ? null : (
              <>
                <line className="rule" x1={x(day)} x2={x(day)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
                <text
                  className="bar-label"
                  x={width - MARGIN.right}
                  y={12}
                  textAnchor="end"
                >{`${labels[day]}: ${series.map(({ label, values }) => `${label} ${formats.number(values[day] ?? 0)}`).join(", ")}`}</text>
              </>
            )}
          </>
        );
      }}
    </Drawing>
  );
}

/** Vertical bars, for histograms. */
export function ColumnChart({
  labels,
  values,
  title,
}: {
  readonly labels: readonly string[];
  readonly values: readonly number[];
  readonly title: string;
}): ReactNode {
  const formats = useFormats();
  const y = scaleLinear([0, Math.max(1, ...values)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  return (
    <Drawing title={title} height={HEIGHT}>
      {(width) => {
        const x = scaleBand(
          labels.map((_, index) => index),
          [MARGIN.left, width - MARGIN.right],
        ).padding(0.15);
        const interval = labelInterval(labels, width);
        return (
          <>
            <GridLines y={y} width={width} />
            {values.map((value, index) => (
              <g key={labels[index]} className="tone-1">
                <rect
                  className="bar"
                  x={x(index)}
                  y={y(value)}
                  width={x.bandwidth()}
                  height={Math.max(0, y(0) - y(value))}
                  rx={2}
                >
                  <title>{`${labels[index]}: ${formats.number(value)}`}</title>
                </rect>
                {value > 0 && x.bandwidth() > 22 ? (
                  <text className="tick" x={(x(index) ?? 0) + x.bandwidth() / 2} y={y(value) - 5} textAnchor="middle">
                    {formats.number(value)}
                  </text>
                ) : null}
              </g>
            ))}
            {labels.map((label, index) =>
              index % interval === 0 ? (
                <text
                  key={label}
                  className="tick"
                  x={(x(index) ?? 0) + x.bandwidth() / 2}
                  y={HEIGHT - 6}
                  textAnchor="middle"
                >
                  {label}
                </text>
              ) : null,
            )}
          </>
        );
      }}
    </Drawing>
  );
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Text above the end of the bar; default: the value. */
  readonly text?: string;
  /** Earlier value to compare with, drawn as a thin bar below. */
  readonly before?: number;
}

const BAR_HEIGHT = 12;
const LABEL_HEIGHT = 22;
const BAR_GAP = 16;

export interface BarChartProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Value of a full-width bar; default: the greatest value. */
  readonly max?: number;
  readonly tone?: Series["tone"];
}

/** Horizontal bars with their labels and values above, for choices and funnels. */
export function BarChart({ title, bars, max, tone = 1 }: BarChartProps): ReactNode {
  const formats = useFormats();
  const hasBefore = bars.some(({ before }) => before !== undefined);
  const step = LABEL_HEIGHT + BAR_HEIGHT + (hasBefore ? 8 : 0) + BAR_GAP;
  const maxValue = max ?? Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before)));
  return (
    <Drawing title={title} height={Math.max(1, bars.length * step - BAR_GAP)}>
      {(width) => {
        const x = scaleLinear([0, maxValue], [0, width]).clamp(true);
        return keyed(bars, ({ label }) => label).map(([key, bar], index) => {
          const { label, value, text = formats.number(value), before } = bar;
          // A letter is about 7.5 px wide; the label is cut before the value begins.
          const room = Math.max(6, Math.floor((width - 16) / 7.5) - text.length);
          return (
            <g key={key} className={`tone-${tone}`} transform={`translate(0 ${index * step})`}>
              <text className="bar-label" x={0} y={14}>
                {label.length > room ? `${label.slice(0, room - 1)}…` : label}
                {label.length > room ? <title>{label}</title> : null}
              </text>
              <text className="bar-label number" x={width} y={14} textAnchor="end">
                {text}
              </text>
              <rect className="bar-back" x={0} y={LABEL_HEIGHT} width={width} height={BAR_HEIGHT} rx={BAR_HEIGHT / 2} />
              {value > 0 ? (
                <rect
                  className="bar"
                  x={0}
                  y={LABEL_HEIGHT}
                  width={Math.max(BAR_HEIGHT, x(value))}
                  height={BAR_HEIGHT}
                  rx={BAR_HEIGHT / 2}
                />
              ) : null}
              {before === undefined || before <= 0 ? null : (
                <rect
                  className="bar tone-3"
                  x={0}
                  y={LABEL_HEIGHT + BAR_HEIGHT + 3}
                  width={Math.max(4, x(before))}
                  height={4}
                  rx={2}
                />
              )}
            </g>
          );
        });
      }}
    </Drawing>
  );
}
