/** Server-rendered HTML in an iframe, within the page's content security policy. */
import { type ComponentProps, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { themeDeclarations } from "../shared/theme-values.ts";
import { parseHtml, trusted } from "../../visitor/script/trusted.ts";

/** Returns the nonce of the page's content security policy; empty without one. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

export interface FrameOptions {
  /** The form's setting `theme_values`. The server has a style sheet for it only if the form is stored. */
  readonly themeValues?: unknown;
  readonly change?: (page: Document) => void;
}

/**
 * Prepares a visitor's page for an iframe, which inherits this page's policy. The engine's script, in the head, gets
 * this page's nonce. Scripts in the body are the form author's and get none.
 */
export function pageForFrame(html: string, { themeValues, change }: FrameOptions = {}): string {
  const page = parseHtml(html);
  for (const script of page.head.querySelectorAll("script[src]")) script.setAttribute("nonce", pageNonce());
  const declarations = themeDeclarations(themeValues);
  if (declarations !== "") {
    const style = page.createElement("style");
    style.setAttribute("nonce", pageNonce());
    style.textContent = `.cf-page{${declarations}}`;
    page.head.append(style);
  }
  change?.(page);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

export interface HtmlFrameProps extends Omit<ComponentProps<"iframe">, "srcDoc" | "ref"> {
  readonly html: string;
  readonly frame?: RefObject<HTMLIFrameElement | null>;
}

export function HtmlFrame({ html, frame, ...attributes }: HtmlFrameProps): ReactNode {
  const fallback = useRef<HTMLIFrameElement>(null);
  const ref = frame ?? fallback;
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.srcdoc = trusted.html(html);
  }, [ref, html]);
  return <iframe {...attributes} ref={ref} />;
}
