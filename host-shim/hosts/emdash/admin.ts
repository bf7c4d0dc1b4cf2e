/** The admin's pages inside EmDash's admin. */
import { FormsAdmin } from "cf-forms/admin";
// Imported as text, because EmDash's build would link a style sheet from visitors' pages too.
import style from "cf-forms/admin/style.css?inline";
import { createElement, Fragment, type ReactElement } from "react";

function FormsPage(): ReactElement {
  const language = document.documentElement.lang.slice(0, 2);
  const admin = createElement(FormsAdmin, {
    apiRoot: "/_emdash",
    nonceEndpoint: "/_emdash/cf/nonce",
    // EmDash's admin uses the path for its screens.
    routing: "hash",
    ...(language !== "" && { language }),
  });
  return createElement(Fragment, null, createElement("style", null, style), admin);
}

export const pages = { "/": FormsPage };
