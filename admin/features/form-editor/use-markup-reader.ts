/** Parses HTML while the user types: in the browser if WebAssembly is allowed, or else through the API. */
import { useEffect, useState } from "react";
import { useLoadBrowserModule } from "../../shared/browser-module.ts";
import type { Content, FormSchema } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import type { ParsedMarkup } from "../../shared/draft/stored-content.ts";

/** Debounce before the API parses the HTML. */
const API_DEBOUNCE_MS = 700;
/** Debounce before the browser parses the HTML. */
const LOCAL_DEBOUNCE_MS = 120;

export interface MarkupReader {
  readonly debounceMs: number;
  /**
   * Whether the browser parses the HTML. Only the API's result is final, because the API knows the author's
   * permissions.
   */
  readonly isLocal: boolean;
  read(content: Content): Promise<ParsedMarkup>;
}

export function useMarkupReader({ convert }: Pick<Draft, "convert">): MarkupReader | null {
  const load = useLoadBrowserModule();
  const [reader, setReader] = useState<MarkupReader | null>(null);
  useEffect(() => {
    let isMounted = true;
    void load().then((browser) => {
      if (!isMounted) return;
      setReader(
        browser === null
          ? { debounceMs: API_DEBOUNCE_MS, isLocal: false, read: convert }
          : {
              debounceMs: LOCAL_DEBOUNCE_MS,
              isLocal: true,
              async read(content) {
                const read = browser.parseMarkup(content.markup);
                // The HTML is too large. The API rejects such HTML with an error that names the limit.
                if ("error" in read) return convert(content);
                // The type of the parsed schema and `FormSchema` come from one Rust type, so the cast is safe.
                return { schema: read.schema as FormSchema, lost: read.warnings };
              },
            },
      );
    });
    return () => {
      isMounted = false;
    };
  }, [convert, load]);
  return reader;
}
