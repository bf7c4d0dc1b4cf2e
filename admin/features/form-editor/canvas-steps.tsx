/** Dividers above the steps in the preview; each names its step and selects it. */
import { memo, type ReactNode, useEffect, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import type { Step } from "../../shared/draft/content.ts";
import { stepName } from "../../shared/draft/step-name.ts";
import { documentOf, type Frame } from "./canvas-page.ts";
import { px } from "./canvas-drop.tsx";
import { STEP_SPACE } from "./editable-texts.ts";
import type { LayoutSignal } from "./layout-signal.ts";
import type { Box } from "./model/drop-place.ts";
import { type LiveSelection, useSelectedKeys } from "./selection.ts";

/** Height of a divider, and of the space above and below it inside the form, in pixels. */
const DIVIDER_HEIGHT = 48;
const MARGIN = 24;

/** Inserts a space for a divider above each visible step; the first step's space is above the form. */
export function addStepSpaces(page: Document, steps: readonly Step[]): void {
  for (const [index, { id }] of steps.entries()) {
    const step = page.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`);
    if (step === null || step.style.display === "none") continue;
    const space = page.createElement("div");
    space.className = STEP_SPACE;
    space.dataset["space"] = id;
    space.style.height = `${DIVIDER_HEIGHT}px`;
    const whole = index === 0 ? page.querySelector(".cf-main") : null;
    if (whole === null) space.style.marginBlock = `${MARGIN}px`;
    (whole ?? step).before(space);
  }
}

export interface CanvasStepsProps {
  readonly frame: Frame;
  readonly steps: readonly Step[];
  readonly layout: LayoutSignal;
  readonly selection: LiveSelection;
  readonly onSelect: (key: string) => void;
}

export const CanvasSteps = memo(function CanvasSteps({
  frame,
  steps,
  layout,
  selection,
  onSelect,
}: CanvasStepsProps): ReactNode {
  const t = useText();
  const selected = useSelectedKeys(selection);
  const [boxes, setBoxes] = useState<ReadonlyMap<string, Box>>(new Map());
  useEffect(() => {
    const measure = () => setBoxes((before) => (isEqual(before, boxesIn(frame)) ? before : boxesIn(frame)));
    measure();
    return layout.subscribe(measure);
  }, [frame, layout]);
  return steps.map(({ id }, index) => {
    const box = boxes.get(id);
    if (box === undefined) return null;
    return (
      <div key={id} className="build-divider" style={px({ ...box, left: 0, width: boxes.get("")?.width ?? box.width })}>
        <span>{t("build.stepOf", { number: index + 1, count: steps.length })}</span>
        <button type="button" aria-pressed={selected.has(`step:${id}`)} onClick={() => onSelect(`step:${id}`)}>
          {stepName(steps, id, t)}
        </button>
      </div>
    );
  });
});

/** Returns the box of each space by its step, and the box of the page under the empty name. */
function boxesIn(frame: Frame): ReadonlyMap<string, Box> {
  const page = documentOf(frame);
  if (page === null || page.body === null) return new Map();
  const boxOf = (element: Element): Box => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left, top, width, height };
  };
  return new Map([
    ["", boxOf(page.body)],
    ...[...page.querySelectorAll<HTMLElement>(`.${STEP_SPACE}`)].map(
      (space) => [space.dataset["space"] ?? "", boxOf(space)] as const,
    ),
  ]);
}

const isEqual = (one: ReadonlyMap<string, Box>, other: ReadonlyMap<string, Box>): boolean =>
  one.size === other.size &&
  [...one].every(([id, { top, width }]) => other.get(id)?.top === top && other.get(id)?.width === width);
