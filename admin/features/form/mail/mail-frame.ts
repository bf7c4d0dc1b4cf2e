/** A mail's HTML as a page of an iframe, which inherits this page's content security policy. */
import { parseHtml } from "../../../../visitor/script/trusted.ts";
import { pageNonce } from "../../../ui/html-frame.tsx";

/** Attribute that carries the styles while the HTML is parsed, because the policy blocks `style` then. */
const CSS = "data-mail-css";

/** Elements that load or run something, which mail programs drop too. */
const LOADING = "script,iframe,frame,frameset,object,embed,applet,link,meta,base,svg,math,video,audio,source";

/** Attributes with addresses. */
const ADDRESSES = /^(?:src|srcset|href|background|poster|action|formaction|data|ping|cite|longdesc|.*:href)$/i;

/** Addresses that a preview may show. */
const SHOWN = /^(?:https:|data:image\/|mailto:|tel:|cid:|#)/i;

/** Removes content that the policy of this page would block, so that a mail does not even cause blocked requests. */
function removeLoading(page: Document): void {
  for (const element of page.querySelectorAll(LOADING)) element.remove();
  for (const element of page.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const isLoading = ADDRESSES.test(name) && !SHOWN.test(value.trim());
      if (isLoading || /^(?:on|srcdoc$)/i.test(name)) element.removeAttribute(name);
    }
  }
}

/**
 * Returns the page. Mails need style attributes, so each becomes a rule of a style element with the policy's nonce. A
 * style that is missed here has no effect.
 */
export function mailForFrame(html: string): string {
  const nonce = pageNonce();
  const page = parseHtml(
    html
      // The policy reports a base element as soon as it is parsed.
      .replaceAll(/<base\b/gi, "<removed-base")
      .replaceAll(/(<[a-z][^>]*?\s)style(?=\s*=)/gi, `$1${CSS}`)
      .replaceAll(/<style\b/gi, `<style nonce="${nonce}"`),
  );
  removeLoading(page);
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
