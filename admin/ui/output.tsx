/** Output of a run: a mail, or a request and its response. */
import type { ReactNode } from "react";
import { useText, useTextOf } from "../shared/text/text.tsx";
import { Output } from "./scrollable.tsx";

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function RunOutput({ value }: { readonly value: unknown }): ReactNode {
  const t = useText();
  if (!isObject(value)) return <Output label={t("queue.details")}>{prettyPrint(value)}</Output>;
  const parts = Object.entries(value).filter(([, part]) => isObject(part) && ("body" in part || "status" in part));
  const rest = Object.entries(value).filter(([name]) => !parts.some(([partName]) => partName === name));
  return (
    <div className="stack">
      {parts.map(([name, part]) => (
        <Exchange key={name} name={name} part={part as Readonly<Record<string, unknown>>} />
      ))}
      {rest.length === 0 ? null : <Members members={rest} />}
    </div>
  );
}

/** A request or its response: first line, headers, body. */
function Exchange({
  name,
  part,
}: {
  readonly name: string;
  readonly part: Readonly<Record<string, unknown>>;
}): ReactNode {
  const textOf = useTextOf();
  const { method, url, status, headers, body, ...others } = part;
  const line = [method, url, status]
    .filter((word) => word !== undefined && word !== null)
    .map(String)
    .join(" ");
  const fields = isObject(headers)
    ? Object.entries(headers)
        .map(([key, text]) => `${key}: ${String(text)}`)
        .join("\n")
    : "";
  return (
    <section className="stack close">
      <h3>{textOf("exchange", name)}</h3>
      <Output label={textOf("exchange", name)}>
        {[line, fields].filter((text) => text !== "").join("\n")}
        {body === undefined || body === null || body === "" ? "" : `\n\n${prettyPrint(body)}`}
      </Output>
      {Object.keys(others).length === 0 ? null : <Members members={Object.entries(others)} />}
    </section>
  );
}

function Members({ members }: { readonly members: readonly (readonly [string, unknown])[] }): ReactNode {
  const textOf = useTextOf();
  return (
    <dl className="facts">
      {members
        .filter(([, value]) => value !== null && value !== "")
        .map(([key, value]) => (
          <div key={key}>
            <dt>{textOf("exchange", key)}</dt>
            <dd>
              <Output label={textOf("exchange", key)}>{prettyPrint(value)}</Output>
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** Pretty-prints a value, including JSON in a string. */
function prettyPrint(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  if (!/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
