/** Picture of a template: its first fields, drawn from its schema in the user's language. */
import { type ReactNode, useMemo } from "react";
import { keyed } from "../../shared/keyed.ts";
import { useLanguage } from "../../shared/text/text.tsx";
import { inLanguage } from "../../templates/in-language.ts";
import type { Template } from "../../templates/index.ts";
import { HEIGHT, type PicturedForm, type Shape, shapesOf, WIDTH } from "./picture-layout.ts";

export function TemplatePicture({ template }: { readonly template: Template }): ReactNode {
  const language = useLanguage();
  const shapes = useMemo(() => shapesOf(inLanguage(template.schema, language) as PicturedForm), [template, language]);
  return (
    <svg className="template-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {keyed(shapes, ({ kind, name }) => `${kind} ${name}`).map(([key, shape]) => (
        <Drawn key={key} shape={shape} />
      ))}
    </svg>
  );
}

function Drawn({ shape }: { readonly shape: Shape }): ReactNode {
  const { kind, name, x, y } = shape;
  if (kind === "text")
    return (
      <text className={`pictured-${name}`} x={x} y={y}>
        {shape.text}
      </text>
    );
  const { width, height } = shape;
  return (
    <rect
      className={`pictured-${name}`}
      x={x}
      y={y}
      width={width}
      height={height}
      rx={name === "round" ? width / 2 : name === "box" ? 1.5 : 3}
    />
  );
}
