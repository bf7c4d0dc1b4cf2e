/**
 * Preview of the form from the visitors' renderer. The iframe runs no script, so it may share this page's origin: the
 * editor finds fields in its document and patches only what a change affects.
 */
import {
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useClient } from "../../shared/api/client.ts";
import { useText } from "../../shared/text/text.tsx";
import { parseHtml } from "../../../visitor/script/trusted.ts";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import { HtmlFrame } from "../../ui/html-frame.tsx";
import { useNotices } from "../../shared/notices.ts";
import { ErrorText } from "../../ui/states.tsx";
import { CanvasDrop, CanvasMark } from "./canvas-drop.tsx";
import { type Content, holdsFields, type Step } from "../../shared/draft/content.ts";
import type { Box, FieldBox } from "./model/drop-place.ts";
import { rowsOf } from "./model/rows.ts";
import { partsOf, stepsOf, type Target } from "../../shared/draft/tree.ts";
import { morph } from "./morph.ts";
import { type LiveSelection, onlyKey } from "./selection.ts";
import { isFieldChange, showChange } from "./show-change.ts";
import { THEME_VALUES } from "../../shared/theme-values.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { previewBody } from "../../shared/draft/stored-content.ts";
import type { FieldActions } from "./use-field-actions.ts";
import { type FocusTarget, EditableTextInput } from "./editable-text-input.tsx";
import { addScriptedElements, ENDING, type EditableText, textAtPoint, editableTextsOf } from "./editable-texts.ts";

/** Debounce before the server re-renders an optimistic edit. */
const RENDER_DEBOUNCE_MS = 300;

const EMPTY_BOX = { left: 0, top: 0, width: 0, height: 0 } as const;

/** Widths of the page in pixels. With less room, the preview is scaled down. */
const WIDTHS = { full: 760, phone: 390 } as const;

/**
 * Parses the page without its scripts and without the theme style, which exists only for a stored form. Also removes
 * names that would shadow members of the document, such as `body` and `querySelector` (DOM clobbering).
 */
function parsePage(html: string): Document {
  const page = parseHtml(html);
  const all = Document.prototype.querySelectorAll.bind(page);
  for (const element of all("script,link[href*='/-/theme.css']")) element.remove();
  for (const element of all("img[name],form[name],embed[name],iframe[name],object")) element.removeAttribute("name");
  for (const element of all("object[id]")) element.removeAttribute("id");
  return page;
}

/** Returns the element that shows a field. */
function elementOf(page: Document, name: string): Element | null {
  const quoted = CSS.escape(name);
  const found = page.querySelector(
    `[data-cf-name="${quoted}"],[name="${quoted}"],[name="${quoted}[]"],[name^="${quoted}["]`,
  );
  if (found === null) return null;
  return fieldElementOf(found);
}

const fieldElementOf = (found: Element): Element =>
  found.matches("fieldset,.cf-group") ? found : (found.closest(".cf-field") ?? found.closest("label") ?? found);

/** Returns the element of every field, found in one pass. */
function elementsOf(page: Document): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  for (const element of page.querySelectorAll("[data-cf-name],[name]")) {
    const name = element.getAttribute("data-cf-name") ?? element.getAttribute("name")?.replace(/\[.*$/s, "") ?? "";
    if (!found.has(name)) found.set(name, fieldElementOf(element));
  }
  return found;
}

type Width = keyof typeof WIDTHS;
type Scheme = "light" | "dark";

interface CanvasBarProps {
  readonly steps: readonly Step[];
  readonly width: Width;
  readonly scheme: Scheme;
  readonly step: string;
  readonly onWidth: (width: Width) => void;
  readonly onScheme: (scheme: Scheme) => void;
  readonly onStep: (step: string) => void;
  readonly onEditText: () => void;
}

/** Toolbar of the preview: width, color scheme, step. */
const CanvasBar = memo(function CanvasBar({
  steps,
  width,
  scheme,
  step,
  onWidth,
  onScheme,
  onStep,
  onEditText,
}: CanvasBarProps): ReactNode {
  const t = useText();
  return (
    <div className="row">
      <Select
        label={t("preview.width")}
        hideLabel
        value={width}
        onChange={(value) => onWidth(value as Width)}
        choices={[
          { value: "full", label: t("preview.full") },
          { value: "phone", label: t("preview.phone") },
        ]}
      />
      <Select
        label={t("build.scheme")}
        hideLabel
        value={scheme}
        onChange={(value) => onScheme(value as Scheme)}
        choices={[
          { value: "light", label: t("build.light") },
          { value: "dark", label: t("build.dark") },
        ]}
      />
      <Select
        label={t("build.showStep")}
        hideLabel
        value={step}
        onChange={onStep}
        choices={[
          { value: "", label: steps.length === 0 ? t("build.wholeForm") : t("build.allSteps") },
          ...steps.map(({ id, title }) => ({ value: id, label: title || id })),
          { value: ENDING, label: t("build.ending") },
        ]}
      />
      <IconButton icon="edit" label={t("build.editWords")} onPress={onEditText} />
    </div>
  );
});

export interface CanvasProps {
  readonly editor: Draft;
  readonly selection: LiveSelection;
  readonly actions: FieldActions;
  /** Position after the selection. */
  readonly target: Target;
  readonly onSelect: (name: string) => void;
  /** Called for a click outside of every field, which clears the selection. */
  readonly onClear: () => void;
  /** Request to edit a field's texts in place; `time` differs for each request. */
  readonly editRequest: { readonly name: string; readonly time: number } | null;
}

export const Canvas = memo(function Canvas({
  editor,
  selection,
  actions,
  target,
  onSelect,
  onClear,
  editRequest,
}: CanvasProps): ReactNode {
  const t = useText();
  const client = useClient();
  const notices = useNotices();
  const { content, form, current, live } = editor;
  const frame = useRef<HTMLIFrameElement>(null);
  const [initialHtml, setInitialHtml] = useState<string | null>(null);
  const [width, setWidth] = useState<Width>(() => (innerWidth < 600 ? "phone" : "full"));
  const [scheme, setScheme] = useState<Scheme>("light");
  const [step, setStep] = useState("");
  const [fault, setFault] = useState<unknown>(null);
  /** Moves the mark to the current position of the selected field. */
  const moveMark = useRef<() => void>(() => undefined);
  const [height, setHeight] = useState(480);
  const container = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  const nextContent = useRef<Content | null>(null);
  const isRendering = useRef(false);
  const frameDocument = () => frame.current?.contentDocument ?? null;
  /** The text that is being edited in place. */
  const [editedText, setEditedText] = useState<EditableText | null>(null);
  const returnFocus = useRef<Element | null>(null);
  const texts = useCallback((): readonly EditableText[] => {
    const page = frameDocument();
    return page === null ? [] : editableTextsOf(page, current(), form, live.content.schema, elementsOf(page));
  }, [current, form, live]);

  const measure = useCallback(() => {
    const space = container.current?.clientWidth ?? 0;
    // On a phone, the preview may be hidden.
    if (space === 0) return;
    setScale(Math.min(1, space / WIDTHS[width]));
    const page = frameDocument();
    if (page === null || page.body === null) return;
    setHeight(Math.max(200, page.querySelector(".cf-main")?.getBoundingClientRect().bottom ?? 0) + 24);
    // The edited text may have moved.
    setEditedText((before) => (before === null ? null : (texts().find(({ id }) => id === before.id) ?? before)));
    moveMark.current();
  }, [width, texts]);
  const measureLatest = useRef(measure);
  measureLatest.current = measure;

  const decorate = useCallback(() => {
    const page = frameDocument();
    if (page === null || page.body === null) return;
    page.documentElement.style.colorScheme = scheme;
    addScriptedElements(page, content, form, step);
    const values = (content.settings["theme_values"] ?? form.settings["theme_values"] ?? {}) as Readonly<
      Record<string, unknown>
    >;
    for (const element of [page.body, ...page.querySelectorAll<HTMLElement>(".cf-form")]) {
      element.style.colorScheme = scheme;
      for (const name of Object.keys(THEME_VALUES))
        element.style.setProperty(`--cf-${name}`, typeof values[name] === "string" ? values[name] : "");
    }
    for (const element of page.querySelectorAll<HTMLElement>("[data-step]"))
      element.style.display = step !== "" && step !== ENDING && element.dataset["step"] !== step ? "none" : "";
    measureLatest.current();
  }, [content.settings, content.messages, content.source, form, scheme, step]);
  const decorateLatest = useRef(decorate);
  decorateLatest.current = decorate;

  // Sends one request at a time, with the latest content, and none while an optimistic edit is debounced.
  const isDebouncing = useRef(false);
  const render = useCallback(async () => {
    if (isRendering.current) return;
    isRendering.current = true;
    try {
      while (nextContent.current !== null && !isDebouncing.current) {
        const now = nextContent.current;
        nextContent.current = null;
        try {
          const { html } = await client.previewForm({ body: previewBody(now) });
          const next = parsePage(html);
          const page = frameDocument();
          // The preview shows a newer, optimistic edit.
          if (isDebouncing.current && page !== null) continue;
          if (page?.body?.classList.contains("cf-page") === true) {
            for (const name of ["style"])
              if (page.body.getAttribute(name) !== null)
                next.body.setAttribute(name, page.body.getAttribute(name) ?? "");
            morph(page.body, next.body);
            decorateLatest.current();
          } else setInitialHtml(`<!doctype html>${next.documentElement.outerHTML}`);
          setFault(null);
        } catch (error) {
          setFault(error);
        }
      }
    } finally {
      isRendering.current = false;
    }
  }, [client, form]);
  const lastContent = useRef(content);
  useLayoutEffect(() => {
    const before = lastContent.current;
    const page = frameDocument();
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
    measureLatest.current();
    // For HTML as the source, the editor sends the edit and the new HTML is rendered.
    if (content.source === "markup") return;
    const timer = setTimeout(() => {
      isDebouncing.current = false;
      void render();
    }, RENDER_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [content, render]);
  useEffect(decorate, [decorate]);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    if (container.current === null) return;
    // The iframe gets its layout shortly after its container.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      measureLatest.current();
      clearTimeout(timer);
      timer = setTimeout(() => measureLatest.current(), 50);
    });
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    const timer = setTimeout(measure, 50);
    return () => clearTimeout(timer);
  }, [width, measure]);
  const boxesOf = (): readonly FieldBox[] => {
    const page = frameDocument();
    if (page === null) return [];
    const elements = elementsOf(page);
    return rowsOf(partsOf(content.schema)).flatMap(({ field, place }) => {
      const box = field === null ? undefined : elements.get(field.name)?.getBoundingClientRect();
      if (field === null || box === undefined || box.width === 0) return [];
      return [
        {
          name: field.name,
          isContainer: holdsFields(field.type),
          place,
          left: box.left,
          top: box.top,
          width: box.width,
          height: box.height,
        },
      ];
    });
  };
  const startEditing = useCallback(
    (next: EditableText | undefined) => {
      if (next === undefined) return;
      // In a shadow root, `document.activeElement` is only the host element.
      if (editedText === null)
        returnFocus.current =
          (container.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement ?? null;
      if (next.field !== null && next.field !== onlyKey(selection.now())) onSelect(next.field);
      setEditedText(next);
    },
    [selection, onSelect, editedText],
  );
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    startEditing(textAtPoint(texts(), (event.clientX - edge.left) / scale, (event.clientY - edge.top) / scale));
  };
  const finishEditing = (left: EditableText, text: string | null, to: FocusTarget): boolean => {
    const order = texts().map(({ id }) => id);
    const command = text === null ? null : left.commandFor(text, current());
    if (text !== null && command === null) {
      notices.show(t("build.wordTaken", { text }));
      if (to !== "away") return false;
    }
    if (text !== null && command !== null) {
      left.write(text);
      editor.run(command);
    }
    const at = order.indexOf(left.id);
    const id = typeof to === "number" && at >= 0 ? order[at + to] : undefined;
    const next = id === undefined ? undefined : texts().find((candidate) => candidate.id === id);
    setEditedText(null);
    if (next !== undefined) startEditing(next);
    // After a click elsewhere, the clicked element already has the focus.
    else if (to !== "away") (returnFocus.current as HTMLElement | null)?.focus?.();
    return true;
  };
  const editField = useCallback(
    (name: string | null) => {
      const all = texts();
      const firstText = all.find(({ field }) => field === name) ?? (name === null ? all[0] : undefined);
      if (firstText === undefined && name !== null) notices.show(t("build.noWords"));
      startEditing(firstText);
    },
    [startEditing, notices, t, texts],
  );
  useEffect(() => {
    if (editRequest !== null) editField(editRequest.name);
    // Runs once for each request.
  }, [editRequest]);
  const editSelected = useCallback(() => editField(onlyKey(selection.now())), [editField, selection]);
  const boxOf = useCallback((name: string): Box | null => {
    const page = frameDocument();
    const { left, top, width, height } =
      (page === null ? null : elementOf(page, name))?.getBoundingClientRect() ?? EMPTY_BOX;
    return width === 0 ? null : { left, top, width, height };
  }, []);
  const labelOf = useCallback(
    (name: string) => current().schema.fields.find((field) => field.name === name)?.label || name,
    [current],
  );
  const steps = useMemo(() => stepsOf(content.schema), [content.schema]);
  return (
    <section className="build-canvas" aria-label={t("build.view.canvas")}>
      <CanvasBar
        steps={steps}
        width={width}
        scheme={scheme}
        step={step}
        onWidth={setWidth}
        onScheme={setScheme}
        onStep={setStep}
        onEditText={editSelected}
      />
      {fault === null ? null : (
        <div className="trouble" role="alert">
          <div>
            <ErrorText error={fault} />
          </div>
        </div>
      )}
      <div className="build-room" ref={container}>
        <div className="build-frame" style={{ width: `${WIDTHS[width] * scale}px`, height: `${height * scale}px` }}>
          <div
            className="build-scaled"
            onDoubleClick={onDoubleClick}
            style={{ width: `${WIDTHS[width]}px`, height: `${height}px`, transform: `scale(${scale})` }}
          >
            {initialHtml === null ? null : (
              <HtmlFrame
                frame={frame}
                html={initialHtml}
                title={t("preview.title")}
                sandbox="allow-same-origin"
                tabIndex={-1}
                inert
                onLoad={() => setTimeout(decorate, 50)}
              />
            )}
            <CanvasDrop
              scale={scale}
              boxesOf={boxesOf}
              actions={actions}
              target={target}
              onSelect={onSelect}
              onClear={onClear}
            />
            <CanvasMark selection={selection} boxOf={boxOf} labelOf={labelOf} moveMark={moveMark} />
            {editedText === null ? null : (
              <EditableTextInput
                key={editedText.id}
                text={editedText}
                pageWidth={WIDTHS[width]}
                onLeave={(text, to) => finishEditing(editedText, text, to)}
              />
            )}
          </div>
        </div>
      </div>
    </section>
  );
});
