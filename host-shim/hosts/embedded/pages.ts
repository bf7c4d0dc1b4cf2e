/** The host's own pages: few, plain, accessible, and without script. */
import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import { FRONT_PREFIX, REST_ROOT } from "./site.ts";
import type { User } from "./users.ts";

/** Escaped HTML, as hono's `html` makes it. */
export type Html = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 32rem; padding: 3rem 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.2; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input { box-sizing: border-box; font: inherit; margin-top: .25rem; padding: .5rem; width: 100%; border: 1px solid #767676; border-radius: .25rem; }
button { font: inherit; font-weight: 600; margin-top: 1.5rem; padding: .5rem 1.25rem; border: 1px solid #1d4ed8; border-radius: .25rem; background: #1d4ed8; color: #fff; cursor: pointer; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
.fault { border-left: .25rem solid #b91c1c; padding: .25rem .75rem; }
`;

/** For the content security policy: the only style these pages may use. */
export const STYLE_SOURCE = `'sha256-${hash("sha256", STYLE, "base64")}'`;

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · cf-forms</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

export function landingPage(basePath: string, signedIn: { readonly user: User; readonly nonce: string } | null): Html {
  const account = signedIn === null
    ? html`<p><a href="${basePath}/sign-in">Sign in</a> to work with forms and submissions.</p>`
    : html`<form method="post" action="${basePath}/sign-out">
<p>You are signed in as <strong>${signedIn.user.login}</strong>.</p>
<input type="hidden" name="_wpnonce" value="${signedIn.nonce}">
<button type="submit">Sign out</button>
</form>`;
  return page("Forms", html`<p>This site serves forms with cf-forms.</p>
${account}
<ul>
<li><a href="${basePath}${REST_ROOT}">API index</a></li>
<li><a href="${basePath}${REST_ROOT}/cf/v1/openapi.json">API documentation (OpenAPI)</a>, for those who may edit forms</li>
</ul>
<p>A form's page is at <code>${basePath}${FRONT_PREFIX}/</code> and its slug.</p>`);
}

export interface SignInForm {
  readonly csrfToken: string;
  /** A path of this site to go to afterwards. */
  readonly redirectTo: string;
  /** What was typed before, so that it need not be typed again. */
  readonly login: string;
  /** What went wrong, or null at the first visit. */
  readonly fault: string | null;
}

export function signInPage(basePath: string, form: SignInForm): Html {
  const fault = form.fault === null ? "" : html`<p class="fault" role="alert" id="fault">${form.fault}</p>`;
  const described = form.fault === null ? "" : raw(' aria-describedby="fault"');
  return page("Sign in", html`${fault}
<form method="post" action="${basePath}/sign-in">
<input type="hidden" name="csrf_token" value="${form.csrfToken}">
<input type="hidden" name="redirect_to" value="${form.redirectTo}">
<label for="login">User name</label>
<input id="login" name="login" value="${form.login}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="60" required${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${described}>
<button type="submit">Sign in</button>
</form>`);
}

/** A page that only says something. */
export function messagePage(title: string, message: string): Html {
  return page(title, html`<p>${message}</p>`);
}
