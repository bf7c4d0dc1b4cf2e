/** A mail's HTML as a page of an iframe, which inherits this page's content security policy. */
import { parseHtml } from "../../../../visitor/script/trusted.ts";
import { pageNonce } from "../../../ui/html-frame.tsx";

/** Attribute in place of `style`, which the policy forbids already while the HTML is parsed. */
const CSS = "data-mail-css";

/**
 * Returns the page. Mails need style attributes, so each becomes a rule of a style element with the policy's nonce. An
 * attribute that this overlooks is only not shown.
 */
export function mailForFrame(html: string): string {
  const nonce = pageNonce();
  const page = parseHtml(
    html.replaceAll(/(<[a-z][^>]*?\s)style(?=\s*=)/gi, `$1${CSS}`).replaceAll(/<style\b/gi, `<style nonce="${nonce}"`),
  );
  const rules = [...page.querySelectorAll(`[${CSS}]`)].map((element, index) => {
    const declarations = element.getAttribute(CSS) ?? "";
    element.setAttribute(CSS, String(index));
    // A brace would end the rule.
    return /[{}<]/.test(declarations) ? "" : `[${CSS}="${index}"] { ${declarations} }`;
  });
  const style = page.createElement("style");
  style.setAttribute("nonce", nonce);
  style.textContent = rules.join("\n");
  page.head.append(style);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
