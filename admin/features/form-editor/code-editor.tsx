/** HTML with colours, completion and what the fields do not say of it in the gutter. Loaded when the HTML is looked at. */
import { type ReactNode, useEffect, useRef } from "react";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Something about the HTML, at its place in bytes. */
export interface Remark {
  readonly message: string;
  readonly offset: number;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly remarks: readonly Remark[];
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Attributes that mean something to cf-forms (docs/html-forms.md). */
const ATTRIBUTES = {
  "data-show-if": null,
  "data-hide-if": null,
  "data-cf-conditions": null,
  "data-step": null,
  "data-title": null,
  "data-layout": ["single", "multi-step", "conversational"],
};

// Read well on the admin's surfaces, light and dark (4.5 to 1).
const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "light-dark(#1f4fa8, #8db6ff)" },
  { tag: tags.attributeName, color: "light-dark(#7a3e00, #ffb66b)" },
  { tag: [tags.attributeValue, tags.string], color: "light-dark(#0f6b3f, #83dcae)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--muted)" },
  { tag: [tags.character, tags.keyword], color: "light-dark(#7a1fa2, #d9a8ff)" },
]);

const LOOK = EditorView.theme({
  "&": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    fontSize: "14px",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", Consolas, monospace',
    lineHeight: "1.55",
    maxHeight: "65vh",
    overflow: "auto",
  },
  ".cm-content, .cm-gutter": { minHeight: "20rem" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--muted)", border: "0", borderRadius: "8px 0 0 8px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

/** The index of a character for its place in UTF-8. */
function indexAt(text: string, offset: number): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes >= offset) return index;
    const code = text.charCodeAt(index);
    // Each half of a pair counts for half of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  }
  return text.length;
}

export default function CodeEditor({ label, value, onChange, remarks, onUndo, onRedo }: CodeEditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** What was emitted and has not come back as the value yet: what is typed meanwhile is newer. */
  const emitted = useRef<string[]>([]);
  const latest = useRef({ onChange, onUndo, onRedo, value });
  latest.current = { onChange, onUndo, onRedo, value };
  useEffect(() => {
    if (place.current === null) return;
    // In a shadow root of its own its styles are adopted sheets, which every policy allows.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const parent = root.appendChild(document.createElement("div"));
    const run = (what: "onUndo" | "onRedo") => () => {
      latest.current[what]();
      return true;
    };
    const own = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          lintGutter(),
          drawSelection(),
          highlightActiveLine(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          html({ extraGlobalAttributes: ATTRIBUTES }),
          syntaxHighlighting(COLOURS),
          LOOK,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // One history for fields and HTML: the editor has none of its own.
          keymap.of([
            { key: "Mod-z", run: run("onUndo") },
            { key: "Mod-Shift-z", run: run("onRedo") },
            { key: "Mod-y", run: run("onRedo") },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            const text = update.state.doc.toString();
            if (!update.docChanged || text === latest.current.value) return;
            emitted.current.push(text);
            latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = own;
    return () => {
      view.current = null;
      own.destroy();
      parent.remove();
    };
  }, [label]);
  useEffect(() => {
    const own = view.current;
    const echo = emitted.current.lastIndexOf(value);
    emitted.current = emitted.current.slice(echo + 1);
    if (echo >= 0 && emitted.current.length > 0) return;
    const shown = own?.state.doc.toString();
    if (own === null || shown === value || shown === undefined) return;
    // Only what differs: the caret stays where it is.
    let start = 0;
    while (start < shown.length && start < value.length && shown[start] === value[start]) start += 1;
    let end = 0;
    while (
      end < shown.length - start &&
      end < value.length - start &&
      shown[shown.length - 1 - end] === value[value.length - 1 - end]
    )
      end += 1;
    own.dispatch({ changes: { from: start, to: shown.length - end, insert: value.slice(start, value.length - end) } });
  }, [value]);
  useEffect(() => {
    const own = view.current;
    if (own === null) return;
    const text = own.state.doc.toString();
    const found = remarks.map(({ message, offset }): Diagnostic => {
      const from = Math.min(indexAt(text, offset), text.length);
      const line = own.state.doc.lineAt(from);
      return { from, to: Math.max(from, Math.min(line.to, from + 1)), severity: "warning", message };
    });
    own.dispatch(setDiagnostics(own.state, found));
  }, [remarks, value]);
  return <div className="build-code" ref={place} />;
}
