/** The host's pages: plain, accessible, and without script. */
import { hash, randomBytes } from "node:crypto";
import { html, raw } from "hono/html";
import { ADMIN_PATH, API_PAGE_PATH, FRONT_PREFIX, REST_ROOT } from "./site.ts";
import type { User } from "./users.ts";
import type { PageTexts } from "./page-texts.ts";

/** Escaped HTML, the result of hono's `html`. */
export type Html = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: light dark; font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; background: light-dark(#f6f7f9, #101216); color: light-dark(#171a21, #e8eaef); }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; }
main { box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); margin: 2rem 0; padding: 2rem; background: light-dark(#fff, #181b21); border: 1px solid light-dark(#dfe3ea, #2c313b); border-radius: 14px; }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.5rem; font-weight: 680; }
.brand::before { content: ""; width: 20px; height: 20px; border-radius: 6px; background: linear-gradient(135deg, #5468ff, #3346c4); }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; margin: 0 0 .75rem; letter-spacing: -.01em; }
p { margin: .5rem 0; }
a { color: light-dark(#3346c4, #96a5ff); text-underline-offset: .15em; }
label { display: block; font-weight: 550; font-size: .9rem; margin-top: 1rem; }
input { box-sizing: border-box; font: inherit; color: inherit; margin-top: .3rem; padding: .5rem .65rem; width: 100%; border: 1px solid light-dark(#868e9c, #6b7484); border-radius: 7px; background: transparent; }
button, .button { display: inline-block; font: inherit; font-weight: 550; margin-top: 1.5rem; padding: .5rem 1.1rem; border: 1px solid transparent; border-radius: 7px; background: light-dark(#3346c4, #96a5ff); color: light-dark(#fff, #10142e); cursor: pointer; text-decoration: none; }
.second { background: transparent; border-color: light-dark(#dfe3ea, #2c313b); color: inherit; }
:focus-visible { outline: 2px solid light-dark(#3346c4, #96a5ff); outline-offset: 2px; }
.fault { border-radius: 10px; padding: .6rem .8rem; background: light-dark(#fde8e6, #40191a); color: light-dark(#b3251e, #ff9d96); }
.more { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid light-dark(#dfe3ea, #2c313b); font-size: .875rem; color: light-dark(#565e6c, #a3abba); }
.wide { width: min(62rem, calc(100vw - 2rem)); min-width: 0; }
.wide h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.wide h3 { font-size: .9rem; margin: 1rem 0 .25rem; }
.wide summary { cursor: pointer; padding: .4rem 0; overflow-wrap: anywhere; }
.wide summary span { color: light-dark(#565e6c, #a3abba); }
.wide details { border-top: 1px solid light-dark(#dfe3ea, #2c313b); }
.wide pre, .wide .table { overflow-x: auto; }
.wide pre { padding: .75rem; border-radius: 7px; background: light-dark(#f6f7f9, #101216); }
.wide table { border-collapse: collapse; width: 100%; font-size: .875rem; }
.wide th, .wide td { text-align: start; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid light-dark(#dfe3ea, #2c313b); }
.wide nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
.more ul { padding-inline-start: 1.1rem; margin: .5rem 0; }
`;

/** Source of the pages' only style in the content security policy. */
export const STYLE_SOURCE = `'sha256-${hash("sha256", STYLE, "base64")}'`;

/** Creates a nonce for the policy of one page. */
export const pageNonce = (): string => randomBytes(18).toString("base64");

/** Builds a page of the host; a wide one holds tables. */
export function page(title: string, content: Html, width: "narrow" | "wide" = "narrow", language = "en"): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · cf-forms</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main${width === "wide" ? raw(' class="wide"') : ""}>
<p class="brand">cf-forms</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

export function landingPage(
  { t, language }: PageTexts,
  basePath: string,
  signedIn: { readonly user: User; readonly nonce: string } | null,
): Html {
  const account =
    signedIn === null
      ? html`<p>${t("host.invitation")}</p>
<p><a class="button" href="${basePath}/sign-in">${t("host.signIn")}</a></p>`
      : html`<p>${t("host.signedInAs")} <strong>${signedIn.user.login}</strong>.</p>
<p><a class="button" href="${basePath}${ADMIN_PATH}">${t("host.openAdmin")}</a></p>
<form method="post" action="${basePath}/sign-out">
<input type="hidden" name="_wpnonce" value="${signedIn.nonce}">
<button type="submit" class="second">${t("host.signOut")}</button>
</form>`;
  return page(
    t("host.forms"),
    html`${account}
<div class="more">
<ul>
<li><a href="${basePath}${REST_ROOT}">${t("host.apiIndex")}</a></li>
<li><a href="${basePath}${API_PAGE_PATH}">${t("host.apiDocumentation")}</a></li>
</ul>
<p>${t("host.addressOfForms", { address: `${basePath}${FRONT_PREFIX}/` })}</p>
</div>`,
    "narrow",
    language,
  );
}

export interface SignInForm {
  readonly csrfToken: string;
  /** Path of this site to go to after the sign-in. */
  readonly redirectTo: string;
  /** The login that was typed before. */
  readonly login: string;
  /** The error message; null at the first visit. */
  readonly fault: string | null;
}

export function signInPage({ t, language }: PageTexts, basePath: string, form: SignInForm): Html {
  const fault = form.fault === null ? "" : html`<p class="fault" role="alert" id="fault">${form.fault}</p>`;
  const described = form.fault === null ? "" : raw(' aria-describedby="fault"');
  return page(
    t("host.signIn"),
    html`${fault}
<form method="post" action="${basePath}/sign-in">
<input type="hidden" name="csrf_token" value="${form.csrfToken}">
<input type="hidden" name="redirect_to" value="${form.redirectTo}">
<label for="login">${t("host.userName")}</label>
<input id="login" name="login" value="${form.login}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="60" required${described}>
<label for="password">${t("host.password")}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${described}>
<button type="submit">${t("host.signIn")}</button>
</form>`,
    "narrow",
    language,
  );
}

/** Builds a page with only a message. */
export function messagePage(title: string, message: string, language = "en"): Html {
  return page(title, html`<p>${message}</p>`, "narrow", language);
}
