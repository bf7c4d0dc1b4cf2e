/**
 * Fallback page when the engine cannot show the form, such as after a trap or without its database. Its plain form,
 * which needs no script, holds the visitor's answers and sends them again.
 */

import { english } from "../../visitor/languages/english.ts";
import type { Answers } from "./multipart.ts";
import { NO_DEVICES } from "./guards.ts";
import type { EngineResponse } from "./frame.ts";

export interface AnswersPage {
  readonly status: number;
  /** Addresses of the form and of the style. */
  readonly action: string;
  readonly style: string;
  readonly isMultipart: boolean;
  readonly answers: Answers;
  readonly language: string;
  /** The texts of the language; a missing one is shown in English. */
  readonly texts: Readonly<Record<string, string>>;
  /** Identifies the error in the log. */
  readonly requestId: string;
}

const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? "");

/** Names of answers that the page hides: the engine's inputs, and names that suggest a password. */
const HIDDEN = /^_|pass|pwd|secret/i;

export function answersPage(page: AnswersPage): EngineResponse {
  const { status, action, style, isMultipart, answers, language, texts, requestId } = page;
  const text = (key: keyof typeof english): string => texts[key] ?? english[key];
  const fields = answers.fields.map(([name, value]) => {
    const [shownName, shownValue] = [escaped(name), escaped(value)];
    if (HIDDEN.test(name)) return `<input type="hidden" name="${shownName}" value="${shownValue}">`;
    return `<p class="cf-field"><label>${shownName}<br><textarea name="${shownName}" rows="2">\n${shownValue}</textarea></label></p>`;
  });
  const chosen = answers.files.filter(({ filename }) => filename !== "");
  const files = [...new Set(chosen.map(({ field }) => field))].map((field) => {
    const names = chosen
      .filter((file) => file.field === field)
      .map(({ filename }) => filename)
      .join(", ");
    const again = text("choose_files_again")
      .replace("{label}", () => field)
      .replace("{files}", () => names);
    return `<p class="cf-field"><label>${escaped(again)}<br><input type="file" name="${escaped(field)}" multiple></label></p>`;
  });
  const title = escaped(text("network_error"));
  const html = `<!doctype html>
<html lang="${escaped(language)}"${/^(ar|fa|he|ur)\b/.test(language) ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escaped(style)}">
</head>
<body class="cf-page">
<main class="cf-main">
<p class="cf-message cf-message-error" role="alert">${title} (${escaped(requestId)})</p>
<form method="post" action="${escaped(action)}" class="cf-form" accept-charset="utf-8"${isMultipart ? ' enctype="multipart/form-data"' : ""}>
${[...fields, ...files].join("\n")}
<p class="cf-field"><button type="submit" class="cf-submit">${escaped(text("send"))}</button></p>
</form>
</main>
</body>
</html>
`;
  const policy =
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' https: http:; base-uri 'none'; frame-ancestors *";
  return {
    status,
    headers: [
      ["content-type", "text/html; charset=UTF-8"],
      ["content-security-policy", policy],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["cross-origin-resource-policy", "same-origin"],
      ["permissions-policy", NO_DEVICES],
      ["referrer-policy", "same-origin"],
      ["access-control-allow-origin", "*"],
    ],
    body: new TextEncoder().encode(html),
  };
}
