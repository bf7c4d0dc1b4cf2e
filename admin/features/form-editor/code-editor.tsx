/** HTML editor with highlighting, completion, and conversion warnings in the gutter. Loaded on demand. */
import { type ReactNode, useEffect, useRef } from "react";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { type ChangeSpec, EditorState, type Extension } from "@codemirror/state";
import { type Command, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A warning about the HTML. */
export interface MarkupWarning {
  readonly message: string;
  /** Position in bytes of UTF-8. */
  readonly offset: number;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly warnings: readonly MarkupWarning[];
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Attributes with a meaning in cf-forms (docs/html-forms.md), for completion. */
const ATTRIBUTES = {
  "data-show-if": null,
  "data-hide-if": null,
  "data-cf-conditions": null,
  "data-step": null,
  "data-title": null,
  "data-layout": ["single", "multi-step", "conversational"],
};

// The colors have a contrast of at least 4.5 to 1 on the admin's light and dark surfaces.
const HIGHLIGHT_STYLE = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "light-dark(#1f4fa8, #8db6ff)" },
  { tag: tags.attributeName, color: "light-dark(#7a3e00, #ffb66b)" },
  { tag: [tags.attributeValue, tags.string], color: "light-dark(#0f6b3f, #83dcae)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--muted)" },
  { tag: [tags.character, tags.keyword], color: "light-dark(#7a1fa2, #d9a8ff)" },
]);

const EDITOR_THEME = EditorView.theme({
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

/** Converts a byte offset of the text to an index of CodeMirror's document, whose lines end with one character. */
const documentIndexAt = (text: string, offset: number): number =>
  text.slice(0, stringIndexAt(text, offset)).replaceAll("\r\n", "\n").length;

/** Converts a byte offset in UTF-8 to a string index. */
function stringIndexAt(text: string, offset: number): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes >= offset) return index;
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  }
  return text.length;
}

type Callback = "onUndo" | "onRedo";

/** The extensions of the editor. `call` turns a callback into a command; `onText` receives each new text. */
const extensionsFor = (
  label: string,
  call: (callback: Callback) => Command,
  onText: (text: string) => void,
): Extension => [
  lineNumbers(),
  lintGutter(),
  drawSelection(),
  highlightActiveLine(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  html({ extraGlobalAttributes: ATTRIBUTES }),
  syntaxHighlighting(HIGHLIGHT_STYLE),
  EDITOR_THEME,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  // Fields and HTML share the form editor's history, so CodeMirror has none.
  keymap.of([
    { key: "Mod-z", run: call("onUndo") },
    { key: "Mod-Shift-z", run: call("onRedo") },
    { key: "Mod-y", run: call("onRedo") },
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString());
  }),
];

/** The smallest change that turns the shown text into the wanted one, so that the caret keeps its position. */
function changeBetween(shown: string, wanted: string): ChangeSpec {
  let start = 0;
  while (start < shown.length && start < wanted.length && shown[start] === wanted[start]) start += 1;
  let end = 0;
  while (
    end < shown.length - start &&
    end < wanted.length - start &&
    shown[shown.length - 1 - end] === wanted[wanted.length - 1 - end]
  )
    end += 1;
  return { from: start, to: shown.length - end, insert: wanted.slice(start, wanted.length - end) };
}

function diagnosticOf({ message, offset }: MarkupWarning, text: string, { state }: EditorView): Diagnostic {
  const from = Math.min(documentIndexAt(text, offset), state.doc.length);
  const line = state.doc.lineAt(from);
  return { from, to: Math.max(from, Math.min(line.to, from + 1)), severity: "warning", message };
}

export default function CodeEditor({ label, value, onChange, warnings, onUndo, onRedo }: CodeEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Emitted texts that have not come back as `value` yet. When one comes back, the editor's text may be newer. */
  const emitted = useRef<string[]>([]);
  const latest = useRef({ onChange, onUndo, onRedo, value });
  latest.current = { onChange, onUndo, onRedo, value };
  useEffect(() => {
    if (host.current === null) return;
    // In a shadow root, CodeMirror adopts style sheets, which every content security policy allows.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const parent = root.appendChild(document.createElement("div"));
    const call = (callback: Callback) => () => {
      latest.current[callback]();
      return true;
    };
    const editorView = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: extensionsFor(label, call, (text) => {
          if (text === latest.current.value) return;
          emitted.current.push(text);
          latest.current.onChange(text);
        }),
      }),
    });
    view.current = editorView;
    return () => {
      view.current = null;
      editorView.destroy();
      parent.remove();
    };
  }, [label]);
  useEffect(() => {
    const editorView = view.current;
    const echo = emitted.current.lastIndexOf(value);
    emitted.current = emitted.current.slice(echo + 1);
    if (echo >= 0 && emitted.current.length > 0) return;
    const shown = editorView?.state.doc.toString();
    if (editorView === null || shown === value || shown === undefined) return;
    editorView.dispatch({ changes: changeBetween(shown, value) });
  }, [value]);
  useEffect(() => {
    const editorView = view.current;
    if (editorView === null) return;
    const found = warnings.map((warning) => diagnosticOf(warning, value, editorView));
    editorView.dispatch(setDiagnostics(editorView.state, found));
  }, [warnings, value]);
  return <div className="build-code" ref={host} />;
}
