/**
 * The form as visitors see it, from their own renderer. The frame runs no script at all, whatever the page's policy
 * allows, so that this page may look into it: a click finds its field there, and a change touches only what differs.
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
import { type Content, holdsFields, type Step } from "./model/content.ts";
import type { Box, FieldBox } from "./model/drop-place.ts";
import { rowsOf } from "./model/rows.ts";
import { partsOf, stepsOf, type Target } from "./model/tree.ts";
import { morph } from "./morph.ts";
import { type Chosen, onlyOf } from "./selection.ts";
import { isFieldChange, showChange } from "./show-change.ts";
import { THEME_VALUES } from "./theme-panel.tsx";
import { type Editor, previewBody } from "./use-editor.ts";
import type { FieldActions } from "./use-field-actions.ts";
import { type Leaving, WordInput } from "./word-input.tsx";
import { addScripted, ENDING, type Word, wordAtPoint, wordsOf } from "./words.ts";

/** How long nobody types before the renderer is asked about what was shown at once. */
const PAUSE_MS = 300;

const NOWHERE = { left: 0, top: 0, width: 0, height: 0 } as const;

/** In pixels of the page that is shown; what has less room is shown smaller. */
const WIDTHS = { full: 760, phone: 390 } as const;

/**
 * The page without scripts, without the style of values that only a stored form has, and without the names by
 * which a document's own members (`body`, `querySelector`) would be an author's elements.
 */
function readPage(html: string): Document {
  const page = parseHtml(html);
  const all = Document.prototype.querySelectorAll.bind(page);
  for (const element of all("script,link[href*='/-/theme.css']")) element.remove();
  for (const element of all("img[name],form[name],embed[name],iframe[name],object")) element.removeAttribute("name");
  for (const element of all("object[id]")) element.removeAttribute("id");
  return page;
}

/** The element that shows a field. */
function elementOf(page: Document, name: string): Element | null {
  const quoted = CSS.escape(name);
  const found = page.querySelector(
    `[data-cf-name="${quoted}"],[name="${quoted}"],[name="${quoted}[]"],[name^="${quoted}["]`,
  );
  if (found === null) return null;
  return wholeOf(found);
}

const wholeOf = (found: Element): Element =>
  found.matches("fieldset,.cf-group") ? found : (found.closest(".cf-field") ?? found.closest("label") ?? found);

/** The element of every field, found in one pass. */
function elementsOf(page: Document): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  for (const element of page.querySelectorAll("[data-cf-name],[name]")) {
    const name = element.getAttribute("data-cf-name") ?? element.getAttribute("name")?.replace(/\[.*$/s, "") ?? "";
    if (!found.has(name)) found.set(name, wholeOf(element));
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
  readonly onWords: () => void;
}

/** What of the form is shown, and how. */
const CanvasBar = memo(function CanvasBar({
  steps,
  width,
  scheme,
  step,
  onWidth,
  onScheme,
  onStep,
  onWords,
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
      <IconButton icon="edit" label={t("build.editWords")} onPress={onWords} />
    </div>
  );
});

export interface CanvasProps {
  readonly editor: Editor;
  readonly chosen: Chosen;
  readonly actions: FieldActions;
  /** Behind what is chosen. */
  readonly target: Target;
  readonly onSelect: (name: string) => void;
  /** A click beside every field: the form as a whole is chosen. */
  readonly onClear: () => void;
  /** Asked from elsewhere: the field whose words are to be changed here, and a number that differs each time. */
  readonly editRequest: { readonly name: string; readonly time: number } | null;
}

export const Canvas = memo(function Canvas({
  editor,
  chosen,
  actions,
  target,
  onSelect,
  onClear,
  editRequest,
}: CanvasProps): ReactNode {
  const t = useText();
  const client = useClient();
  const notices = useNotices();
  const { content, form, current, settled } = editor;
  const frame = useRef<HTMLIFrameElement>(null);
  const [first, setFirst] = useState<string | null>(null);
  const [width, setWidth] = useState<Width>(() => (innerWidth < 600 ? "phone" : "full"));
  const [scheme, setScheme] = useState<Scheme>("light");
  const [step, setStep] = useState("");
  const [fault, setFault] = useState<unknown>(null);
  /** Draws the frame of what is chosen where that is now. */
  const remark = useRef<() => void>(() => undefined);
  const [height, setHeight] = useState(480);
  const room = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  const wanted = useRef<Content | null>(null);
  const isBusy = useRef(false);
  const page = () => frame.current?.contentDocument ?? null;
  /** What is being changed where it stands. */
  const [word, setWord] = useState<Word | null>(null);
  const opener = useRef<Element | null>(null);
  const words = useCallback((): readonly Word[] => {
    const own = page();
    return own === null ? [] : wordsOf(own, current(), form, settled().schema, elementsOf(own));
  }, [current, form, settled]);

  const measure = useCallback(() => {
    const space = room.current?.clientWidth ?? 0;
    // On a phone it may not be shown yet.
    if (space === 0) return;
    setScale(Math.min(1, space / WIDTHS[width]));
    const own = page();
    if (own === null || own.body === null) return;
    setHeight(Math.max(200, own.querySelector(".cf-main")?.getBoundingClientRect().bottom ?? 0) + 24);
    // What stands above it may have become higher.
    setWord((before) => (before === null ? null : (words().find(({ id }) => id === before.id) ?? before)));
    remark.current();
  }, [width, words]);
  const measureLatest = useRef(measure);
  measureLatest.current = measure;

  const dress = useCallback(() => {
    const own = page();
    if (own === null || own.body === null) return;
    own.documentElement.style.colorScheme = scheme;
    addScripted(own, content, form, step);
    const values = (content.settings["theme_values"] ?? form.settings["theme_values"] ?? {}) as Readonly<
      Record<string, unknown>
    >;
    for (const element of [own.body, ...own.querySelectorAll<HTMLElement>(".cf-form")]) {
      element.style.colorScheme = scheme;
      for (const name of Object.keys(THEME_VALUES))
        element.style.setProperty(`--cf-${name}`, typeof values[name] === "string" ? values[name] : "");
    }
    for (const element of own.querySelectorAll<HTMLElement>("[data-step]"))
      element.style.display = step !== "" && step !== ENDING && element.dataset["step"] !== step ? "none" : "";
    measureLatest.current();
  }, [content.settings, content.messages, content.source, form, scheme, step]);
  const dressLatest = useRef(dress);
  dressLatest.current = dress;

  // One request at a time, always of the latest content, and none while somebody types what is shown at once.
  const isTyping = useRef(false);
  const render = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      while (wanted.current !== null && !isTyping.current) {
        const now = wanted.current;
        wanted.current = null;
        try {
          const { html } = await client.previewForm({ body: previewBody(now, form) });
          const next = readPage(html);
          const own = page();
          // What was typed meanwhile is shown already.
          if (isTyping.current && own !== null) continue;
          if (own?.body?.classList.contains("cf-page") === true) {
            for (const name of ["style"])
              if (own.body.getAttribute(name) !== null) next.body.setAttribute(name, own.body.getAttribute(name) ?? "");
            morph(own.body, next.body);
            dressLatest.current();
          } else setFirst(`<!doctype html>${next.documentElement.outerHTML}`);
          setFault(null);
        } catch (error) {
          setFault(error);
        }
      }
    } finally {
      isBusy.current = false;
    }
  }, [client, form]);
  const shown = useRef(content);
  useLayoutEffect(() => {
    const before = shown.current;
    const own = page();
    shown.current = content;
    wanted.current = content;
    isTyping.current =
      own !== null &&
      before !== content &&
      isFieldChange(before, content) &&
      showChange((name) => elementOf(own, name), before, content);
    if (!isTyping.current) {
      void render();
      return;
    }
    measureLatest.current();
    // An edit of the author's HTML is made in it when nobody types, and shown from there.
    if (content.source === "markup") return;
    const timer = setTimeout(() => {
      isTyping.current = false;
      void render();
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content, render]);
  useEffect(dress, [dress]);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    if (room.current === null) return;
    // The frame is laid out a moment after its room.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      measureLatest.current();
      clearTimeout(timer);
      timer = setTimeout(() => measureLatest.current(), 50);
    });
    observer.observe(room.current);
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
    const own = page();
    if (own === null) return [];
    const elements = elementsOf(own);
    return rowsOf(partsOf(content.schema)).flatMap(({ field, place }) => {
      const box = field === null ? undefined : elements.get(field.name)?.getBoundingClientRect();
      if (field === null || box === undefined || box.width === 0) return [];
      return [
        {
          name: field.name,
          holds: holdsFields(field.type),
          place,
          left: box.left,
          top: box.top,
          width: box.width,
          height: box.height,
        },
      ];
    });
  };
  const begin = useCallback(
    (next: Word | undefined) => {
      if (next === undefined) return;
      // Inside of an element of its own, the document knows only that element.
      if (word === null)
        opener.current = (room.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement ?? null;
      if (next.field !== null && next.field !== onlyOf(chosen.now())) onSelect(next.field);
      setWord(next);
    },
    [chosen, onSelect, word],
  );
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    begin(wordAtPoint(words(), (event.clientX - edge.left) / scale, (event.clientY - edge.top) / scale));
  };
  const leaveWord = (left: Word, text: string | null, to: Leaving): boolean => {
    const order = words().map(({ id }) => id);
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
    const next = id === undefined ? undefined : words().find((own) => own.id === id);
    setWord(null);
    if (next !== undefined) begin(next);
    // What was clicked has the focus by now.
    else if (to !== "away") (opener.current as HTMLElement | null)?.focus?.();
    return true;
  };
  const beginField = useCallback(
    (name: string | null) => {
      const all = words();
      const first = all.find(({ field }) => field === name) ?? (name === null ? all[0] : undefined);
      if (first === undefined && name !== null) notices.show(t("build.noWords"));
      begin(first);
    },
    [begin, notices, t, words],
  );
  useEffect(() => {
    if (editRequest !== null) beginField(editRequest.name);
    // Once each time that it is asked.
  }, [editRequest]);
  const beginChosen = useCallback(() => beginField(onlyOf(chosen.now())), [beginField, chosen]);
  const boxOf = useCallback((name: string): Box | null => {
    const own = page();
    const { left, top, width, height } =
      (own === null ? null : elementOf(own, name))?.getBoundingClientRect() ?? NOWHERE;
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
        onWords={beginChosen}
      />
      {fault === null ? null : (
        <div className="trouble" role="alert">
          <div>
            <ErrorText error={fault} />
          </div>
        </div>
      )}
      <div className="build-room" ref={room}>
        <div className="build-frame" style={{ width: `${WIDTHS[width] * scale}px`, height: `${height * scale}px` }}>
          <div
            className="build-scaled"
            onDoubleClick={onDoubleClick}
            style={{ width: `${WIDTHS[width]}px`, height: `${height}px`, transform: `scale(${scale})` }}
          >
            {first === null ? null : (
              <HtmlFrame
                frame={frame}
                html={first}
                title={t("preview.title")}
                sandbox="allow-same-origin"
                tabIndex={-1}
                inert
                onLoad={() => setTimeout(dress, 50)}
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
            <CanvasMark chosen={chosen} boxOf={boxOf} labelOf={labelOf} remark={remark} />
            {word === null ? null : (
              <WordInput
                key={word.id}
                word={word}
                room={WIDTHS[width]}
                onLeave={(text, to) => leaveWord(word, text, to)}
              />
            )}
          </div>
        </div>
      </div>
    </section>
  );
});
