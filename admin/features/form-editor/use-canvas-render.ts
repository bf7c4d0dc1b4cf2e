/** Rendering of the preview: an edit of a field shows at once, and the visitors' renderer follows after a debounce. */
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { useClient } from "../../shared/api/client.ts";
import { useEvent } from "../../shared/use-event.ts";
import { addStyles, documentOf, elementOf, type Frame, parsePage } from "./canvas-page.ts";
import { removeScriptedElements } from "./editable-texts.ts";
import type { Content } from "../../shared/draft/content.ts";
import { morph } from "./morph.ts";
import { isFieldChange, showChange } from "./show-change.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { previewBody } from "../../shared/draft/stored-content.ts";

/** Debounce before the server re-renders an optimistic edit. */
const RENDER_DEBOUNCE_MS = 300;

export interface CanvasRender {
  /** Page that the frame loads first; later pages are patched into it. */
  readonly initialHtml: string | null;
  /** Error of the last render; null after a success. */
  readonly fault: unknown;
}

/** Called after the page was rendered, and after an optimistic edit changed it. */
export interface CanvasListeners {
  onRender(): void;
  onEdit(): void;
}

export function useCanvasRender(
  frame: Frame,
  { content }: Pick<Draft, "content">,
  listeners: CanvasListeners,
): CanvasRender {
  const onEdit = useEvent(listeners.onEdit);
  const nextContent = useRef<Content | null>(null);
  const isDebouncing = useRef(false);
  const { initialHtml, fault, render } = useRenderer(frame, { nextContent, isDebouncing }, listeners.onRender);
  const lastContent = useRef(content);
  useLayoutEffect(() => {
    const before = lastContent.current;
    const page = documentOf(frame);
    lastContent.current = content;
    nextContent.current = content;
    isDebouncing.current =
      page !== null &&
      before !== content &&
      isFieldChange(before, content) &&
      showChange((name) => elementOf(page, name), before, content);
    if (!isDebouncing.current) {
      void render();
      return;
    }
    onEdit();
    // For HTML as the source, the editor sends the edit itself, and the returned HTML is then rendered.
    if (content.source === "markup") return;
    const timer = setTimeout(() => {
      isDebouncing.current = false;
      void render();
    }, RENDER_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [content, frame, render]);

  return { initialHtml, fault };
}

/** Content that waits for the renderer, and whether an optimistic edit is on screen and still debounced. */
interface Pending {
  readonly nextContent: { current: Content | null };
  readonly isDebouncing: { current: boolean };
}

interface Renderer extends CanvasRender {
  /** Renders the pending content. */
  readonly render: () => Promise<void>;
}

/** The visitors' renderer. Sends one request at a time, and none while an optimistic edit is debounced. */
function useRenderer(frame: Frame, { nextContent, isDebouncing }: Pending, onRendered: () => void): Renderer {
  const client = useClient();
  const [initialHtml, setInitialHtml] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const onRender = useEvent(onRendered);
  const isRendering = useRef(false);

  const show = useCallback(
    (html: string) => {
      const next = parsePage(html);
      const page = documentOf(frame);
      // Drops a page that is older than an optimistic edit on the screen.
      if (isDebouncing.current && page !== null) return;
      setFault(null);
      if (page?.body?.classList.contains("cf-page") !== true) {
        setInitialHtml(`<!doctype html>${next.documentElement.outerHTML}`);
        return;
      }
      const style = page.body.getAttribute("style");
      // The page's policy blocks style attributes, but not styles that a script sets.
      if (style !== null) next.body.style.cssText = style;
      removeScriptedElements(page);
      addStyles(page, next);
      morph(page.body, next.body);
      onRender();
    },
    [frame, isDebouncing],
  );

  const render = useCallback(async () => {
    if (isRendering.current) return;
    isRendering.current = true;
    try {
      while (nextContent.current !== null && !isDebouncing.current) {
        const now = nextContent.current;
        nextContent.current = null;
        await client
          .previewForm({ body: previewBody(now) })
          .then(({ html }) => show(html))
          .catch(setFault);
      }
    } finally {
      isRendering.current = false;
    }
  }, [client, show, nextContent, isDebouncing]);

  return { initialHtml, fault, render };
}
