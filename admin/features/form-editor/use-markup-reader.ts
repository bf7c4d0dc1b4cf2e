/** Reading HTML while it is typed: in the page where that may be, by the API elsewhere. */
import { useEffect, useState } from "react";
import { useLoadBrowserModule } from "../../shared/browser-module.ts";
import type { Content, FormSchema } from "./model/content.ts";
import type { Editor, Read } from "./use-editor.ts";

/** How long nobody types before the API is asked, and before the page reads by itself. */
const ASKED_MS = 700;
const OWN_MS = 120;

export interface MarkupReader {
  readonly pause: number;
  /** The API's answer is the one that counts: it knows what the author may write. */
  readonly isOwn: boolean;
  read(content: Content): Promise<Read>;
}

export function useMarkupReader({ convert }: Pick<Editor, "convert">): MarkupReader | null {
  const load = useLoadBrowserModule();
  const [reader, setReader] = useState<MarkupReader | null>(null);
  useEffect(() => {
    let isHere = true;
    void load().then((browser) => {
      if (!isHere) return;
      setReader(
        browser === null
          ? { pause: ASKED_MS, isOwn: false, read: convert }
          : {
              pause: OWN_MS,
              isOwn: true,
              async read(content) {
                const read = browser.parseMarkup(content.markup);
                // The API says by its code which limit was passed. Both write one type of Rust, in two words of TypeScript.
                return "error" in read ? convert(content) : { schema: read.schema as FormSchema, lost: read.warnings };
              },
            },
      );
    });
    return () => {
      isHere = false;
    };
  }, [convert, load]);
  return reader;
}
