/** The form's HTML, as source or as rendered from the fields, with warnings before a conversion loses anything. */
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorText, Loaded, Loading } from "../../ui/states.tsx";
import { Differences } from "../../ui/differences.tsx";
import { ConversionWarnings } from "./conversion-warnings.tsx";
import type { Content } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import type { ParsedMarkup } from "../../shared/draft/stored-content.ts";
import { type MarkupReader, useMarkupReader } from "./use-markup-reader.ts";
import { useEvent } from "../../shared/use-event.ts";

const CodeEditor = lazy(() => import("./code-editor.tsx"));
const MarkupDifference = lazy(() => import("../../ui/markup-difference.tsx"));

export interface MarkupSideProps {
  readonly editor: Draft;
  readonly onDone: () => void;
}

export default function MarkupSide({ editor, onDone }: MarkupSideProps): ReactNode {
  const t = useText();
  return (
    <section className="card build-markup" aria-label={t("common.htmlCode")}>
      {editor.content.source === "markup" ? (
        <AuthorsMarkup editor={editor} onDone={onDone} />
      ) : (
        <RenderedMarkup editor={editor} />
      )}
    </section>
  );
}

/** Editor for a form whose source is its HTML; each edit changes the form. */
function AuthorsMarkup({ editor, onDone }: MarkupSideProps): ReactNode {
  const t = useText();
  const { content, form } = editor;
  const { read, fault, typingRun } = useReadMarkup(editor);
  const useFields = () => {
    editor.run({ kind: "source", source: "schema", markup: content.markup, schema: content.schema });
    onDone();
  };
  return (
    <>
      <p className="hint">{t("build.fromMarkup")}</p>
      <Suspense fallback={<Loading />}>
        <CodeEditor
          label={t("common.htmlCode")}
          value={content.markup}
          warnings={read?.lost ?? []}
          onUndo={editor.undo}
          onRedo={editor.redo}
          onChange={(markup) =>
            editor.run({ kind: "markup", markup, schema: content.schema }, `html ${typingRun.current}`)
          }
        />
      </Suspense>
      {fault === null ? null : (
        <div className="fault" role="alert">
          <ErrorText error={fault} />
        </div>
      )}
      {form.source !== "markup" ? null : (
        <details open={form.markup !== content.markup}>
          <summary>{t("build.markupDifference")}</summary>
          <Suspense fallback={<Loading />}>
            <MarkupDifference before={form.markup} after={content.markup} />
          </Suspense>
        </details>
      )}
      <ConversionWarnings warnings={read?.lost ?? []} />
      <div className="row end">
        <Button onPress={useFields}>{t("build.useFields")}</Button>
      </div>
    </>
  );
}

/** Reads the HTML after each change. `typingRun` counts the pauses of typing. */
function useReadMarkup(editor: Draft) {
  const { content } = editor;
  const [read, setRead] = useState<ParsedMarkup | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const typingRun = useRef(0);
  const reader = useMarkupReader(editor);
  const { markup } = content;
  const debounceOf = useEvent(({ debounceMs }: MarkupReader) => (read === null ? 0 : debounceMs));
  const readContent = useEvent((active: MarkupReader) => active.read(content));
  const show = useEvent((found: ParsedMarkup, of: string) => {
    setRead(found);
    setFault(null);
    editor.readMarkup(of, found.schema);
  });
  useEffect(() => {
    if (reader === null) return;
    let isLatest = true;
    const timer = setTimeout(() => {
      // Keystrokes without a pause are one step of the history.
      typingRun.current += 1;
      readContent(reader).then(
        (found) => isLatest && show(found, markup),
        (error: unknown) => isLatest && setFault(error),
      );
    }, debounceOf(reader));
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [markup, reader]);
  const latest = useRef(editor);
  latest.current = editor;
  const isLocal = reader?.isLocal === true;
  useEffect(() => {
    if (!isLocal) return;
    // Only the API's result counts, so the API parses the HTML once more when this side closes.
    return () => {
      const { content, convert, readMarkup } = latest.current;
      if (content.source === "markup")
        convert(content).then(
          ({ schema }) => readMarkup(content.markup, schema, content.schema),
          () => undefined,
        );
    };
  }, [isLocal]);
  return { read, fault, typingRun };
}

/** Editor for a form whose source is its fields: shows the rendered HTML, with a button that makes it the source. */
function RenderedMarkup({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const { content } = editor;
  const { rendered, read, typed, setTyped, wanted, isRead } = useRenderedMarkup(editor);
  const after = (schema: Content["schema"]): Content => ({ ...content, schema });
  return (
    <Loaded query={rendered}>
      {({ markup }) => (
        <>
          <p className="hint">{t("build.fromFields")}</p>
          <Suspense fallback={<Loading />}>
            <CodeEditor
              label={t("common.htmlCode")}
              value={typed ?? markup}
              onChange={setTyped}
              warnings={read.data?.lost ?? []}
              onUndo={editor.undo}
              onRedo={editor.redo}
            />
          </Suspense>
          {read.isError ? (
            <div className="fault" role="alert">
              <ErrorText error={read.error} />
            </div>
          ) : null}
          {read.data === undefined ? null : (
            <>
              <h2>{t("build.readBack")}</h2>
              <Differences before={content} after={after(read.data.schema)} />
            </>
          )}
          <div className="row end">
            <Button
              look="primary"
              isDisabled={!isRead}
              onPress={() =>
                read.data !== undefined &&
                wanted !== null &&
                editor.run({ kind: "markup", markup: wanted, schema: read.data.schema })
              }
            >
              {t("build.useMarkup")}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}

/** State of the HTML side: the HTML rendered from the fields, the user's edits in it, and the schema read from them. */
function useRenderedMarkup(editor: Draft) {
  const { content } = editor;
  const [typed, setTyped] = useState<string | null>(null);
  const [requested, setRequested] = useState<string | null>(null);
  const rendered = useQuery({ queryKey: ["converted", content], queryFn: () => editor.convert(content) });
  const reader = useMarkupReader(editor);
  const wanted = typed ?? rendered.data?.markup ?? null;
  const debounceMs = typed === null ? 0 : reader?.debounceMs;
  useEffect(() => {
    const timer = setTimeout(() => setRequested(wanted), debounceMs);
    return () => clearTimeout(timer);
  }, [wanted, debounceMs]);
  const read = useQuery({
    queryKey: ["read", requested],
    enabled: requested !== null && reader !== null,
    queryFn: () => reader?.read({ ...content, source: "markup", markup: requested ?? "" }),
  });
  const isRead = read.data !== undefined && requested === wanted;
  return { rendered, read, typed, setTyped, wanted, isRead };
}
