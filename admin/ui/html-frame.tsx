/** HTML of the server's in a frame, as the policy of this page asks for it. */
import { type ComponentProps, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { parseHtml, trusted } from "../../visitor/script/trusted.ts";

/** What lets scripts and styles of this page in, where its policy asks for it. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/**
 * A visitor's page as it works in a frame, which has this page's policy: the engine's own script, in its head, gets
 * this page's nonce. What stands in the body is the author's and gets none.
 */
export function workingPage(html: string, change: (page: Document) => void = () => undefined): string {
  const page = parseHtml(html);
  for (const script of page.head.querySelectorAll("script[src]")) script.setAttribute("nonce", pageNonce());
  change(page);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

export interface HtmlFrameProps extends Omit<ComponentProps<"iframe">, "srcDoc" | "ref"> {
  readonly html: string;
  readonly frame?: RefObject<HTMLIFrameElement | null>;
}

export function HtmlFrame({ html, frame, ...attributes }: HtmlFrameProps): ReactNode {
  const own = useRef<HTMLIFrameElement>(null);
  const ref = frame ?? own;
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.srcdoc = trusted.html(html);
  }, [ref, html]);
  return <iframe {...attributes} ref={ref} />;
}
