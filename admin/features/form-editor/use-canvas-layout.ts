/** Layout of the preview: its scale in the available space, and the height of its page. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from "react";
import { useEvent } from "../../shared/use-event.ts";
import { type Width, WIDTHS } from "./canvas-bar.tsx";
import { documentOf, type Frame } from "./canvas-page.ts";
import { type LayoutSignal, useLayoutSignal } from "./layout-signal.ts";

/** Delay after which the frame has laid out a changed page or container. */
export const LAYOUT_MS = 50;

export interface CanvasLayout {
  readonly width: Width;
  readonly height: number;
  readonly scale: number;
  readonly signal: LayoutSignal;
  /** Measures the available space and the page. */
  readonly measure: () => void;
}

/** Returns the layout. `follow` is called after each measurement. */
export function useCanvasLayout(
  frame: Frame,
  container: RefObject<HTMLElement | null>,
  width: Width,
  follow: () => void,
): CanvasLayout {
  const [height, setHeight] = useState(480);
  const [scale, setScale] = useState(1);
  const signal = useLayoutSignal();
  const measure = useCallback(() => {
    const space = container.current?.clientWidth ?? 0;
    // On a phone, the preview may be hidden.
    if (space === 0) return;
    setScale(Math.min(1, space / WIDTHS[width]));
    const page = documentOf(frame);
    if (page === null || page.body === null) return;
    setHeight(Math.max(200, page.querySelector(".cf-main")?.getBoundingClientRect().bottom ?? 0) + 24);
    follow();
    signal.notify();
  }, [frame, container, width, follow, signal]);
  return { width, height, scale, signal, measure };
}

/** Calls `measure` after each change of the function or of the container's size. */
export function useMeasuring(container: RefObject<HTMLElement | null>, measure: () => void): void {
  const measureNow = useEvent(measure);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    if (container.current === null) return;
    // The iframe gets its layout shortly after its container.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      measureNow();
      clearTimeout(timer);
      timer = setTimeout(measureNow, LAYOUT_MS);
    });
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [container]);
  useEffect(() => {
    const timer = setTimeout(measure, LAYOUT_MS);
    return () => clearTimeout(timer);
  }, [measure]);
}
