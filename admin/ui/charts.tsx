/** Charts as SVG, as wide as their place, so that their words keep one size. */
import { type PointerEvent, type ReactNode, useCallback, useId, useRef, useState } from "react";
import { scaleBand, scaleLinear, type ScaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useFormats } from "../shared/text/format.ts";
import type { Series } from "./figure.tsx";

const HEIGHT = 220;
const EDGE = { top: 22, right: 8, bottom: 24, left: 40 };
/** How many labels there are to one that has room below the chart. */
function everyWhich(labels: readonly string[], width: number): number {
  const room = 20 + 7 * Math.max(1, ...labels.map(({ length }) => length));
  return Math.max(1, Math.ceil(labels.length / Math.max(2, Math.floor((width - EDGE.left) / room))));
}

interface DrawingProps {
  readonly title: string;
  readonly height: number;
  readonly children: (width: number) => ReactNode;
  readonly onMove?: (place: number | null) => void;
}

/** An SVG whose units are pixels of the page. */
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

function Rules({ y, width }: { readonly y: ScaleLinear<number, number>; readonly width: number }): ReactNode {
  const formats = useFormats();
  return y
    .ticks(4)
    .filter(Number.isInteger)
    .map((tick) => (
      <g key={tick}>
        <line className="rule" x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
        <text className="tick" x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">
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

/** Days on a line; pointing at one tells its numbers. */
export function LineChart({ labels, series, title }: LineChartProps): ReactNode {
  const formats = useFormats();
  const [pointed, setPointed] = useState<number | null>(null);
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const last = Math.max(1, labels.length - 1);
  const y = scaleLinear([0, top], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  return (
    <Drawing title={title} height={HEIGHT} onMove={setPointed}>
      {(width) => {
        const x = scaleLinear([0, last], [EDGE.left, width - EDGE.right]);
        const path = line<number>()
          .x((_, index) => x(index))
          .y((value) => y(value));
        const below = area<number>()
          .x((_, index) => x(index))
          .y0(y(0))
          .y1((value) => y(value));
        const every = everyWhich(labels, width);
        const day = pointed === null ? null : Math.min(labels.length - 1, Math.max(0, Math.round(x.invert(pointed))));
        return (
          <>
            <Rules y={y} width={width} />
            {labels.map((label, index) =>
              index % every === 0 ? (
                <text
                  key={label}
                  className="tick"
                  x={x(index)}
                  y={HEIGHT - 6}
                  textAnchor={index === 0 ? "start" : index > last - every / 2 ? "end" : "middle"}
                >
                  {label}
                </text>
              ) : null,
            )}
            {series.map(({ label, values, tone, dashed = false }, place) => (
              <g key={label} className={`tone-${tone}`}>
                {place === 0 ? <path className="area" d={below([...values]) ?? ""} /> : null}
                <path className="line" data-dashed={dashed || undefined} d={path([...values]) ?? ""} />
                {day === null ? null : <circle className="dot" cx={x(day)} cy={y(values[day] ?? 0)} r={4} />}
              </g>
            ))}
            {day === null ? null : (
              <>
                <line className="rule" x1={x(day)} x2={x(day)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
                <text
                  className="bar-label"
                  x={width - EDGE.right}
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

/** Bars beside each other, for histograms. */
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
  const y = scaleLinear([0, Math.max(1, ...values)], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  return (
    <Drawing title={title} height={HEIGHT}>
      {(width) => {
        const x = scaleBand(
          labels.map((_, index) => index),
          [EDGE.left, width - EDGE.right],
        ).padding(0.15);
        const every = everyWhich(labels, width);
        return (
          <>
            <Rules y={y} width={width} />
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
              index % every === 0 ? (
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
  /** What stands at the bar's end; without it the value. */
  readonly text?: string;
  /** The value to compare with, as a thin bar below. */
  readonly before?: number;
}

const BAR = 12;
const WORDS = 22;
const SPACE = 16;

export interface BarChartProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The value of a bar of the whole width; without it the greatest. */
  readonly most?: number;
  readonly tone?: Series["tone"];
}

/** Bars below each other, with their words and numbers above, for choices and funnels. */
export function BarChart({ title, bars, most, tone = 1 }: BarChartProps): ReactNode {
  const formats = useFormats();
  const hasBefore = bars.some(({ before }) => before !== undefined);
  const step = WORDS + BAR + (hasBefore ? 8 : 0) + SPACE;
  const top = most ?? Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before)));
  return (
    <Drawing title={title} height={Math.max(1, bars.length * step - SPACE)}>
      {(width) => {
        const x = scaleLinear([0, top], [0, width]).clamp(true);
        return bars.map(({ label, value, text = formats.number(value), before }, index) => {
          // Letters are about 7.5 wide: the words end before the number begins.
          const room = Math.max(6, Math.floor((width - 16) / 7.5) - text.length);
          return (
            <g key={label + index} className={`tone-${tone}`} transform={`translate(0 ${index * step})`}>
              <text className="bar-label" x={0} y={14}>
                {label.length > room ? `${label.slice(0, room - 1)}…` : label}
                {label.length > room ? <title>{label}</title> : null}
              </text>
              <text className="bar-label number" x={width} y={14} textAnchor="end">
                {text}
              </text>
              <rect className="bar-back" x={0} y={WORDS} width={width} height={BAR} rx={BAR / 2} />
              {value > 0 ? (
                <rect className="bar" x={0} y={WORDS} width={Math.max(BAR, x(value))} height={BAR} rx={BAR / 2} />
              ) : null}
              {before === undefined || before <= 0 ? null : (
                <rect
                  className="bar tone-3"
                  x={0}
                  y={WORDS + BAR + 3}
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
