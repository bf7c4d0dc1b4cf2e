/**
 * Code that shows or submits a form elsewhere. All addresses in the code stay valid in later versions of the engine.
 */
import type { Field } from "../../shared/draft/content.ts";
import { sampleAnswers } from "./sample-answers.ts";

export interface SharedForm {
  readonly url: string;
  readonly slug: string;
  readonly title: string;
}

/** Returns the address of the site's forms, such as `https://forms.example/forms`. */
export const siteOf = ({ url }: Pick<SharedForm, "url">): string => url.slice(0, url.lastIndexOf("/"));

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Writes an attribute of JSX or Astro: texts with special characters as an expression. */
const attribute = (name: string, text: string): string =>
  /[&<>"{}\\\n]/.test(text) ? `${name}={${JSON.stringify(text)}}` : `${name}="${text}"`;

const component = (form: SharedForm): string =>
  `<CfForm ${attribute("site", siteOf(form))} ${attribute("slug", form.slug)} ${attribute("title", form.title)} />`;

export function elementCode(form: SharedForm): string {
  const link = `<a href="${escaped(form.url)}">${escaped(form.title)}</a>`;
  return `<script src="${escaped(siteOf(form))}/-/assets/embed.js" async></script>\n<cf-form slug="${form.slug}">${link}</cf-form>`;
}

export const frameCode = ({ url, title }: SharedForm): string =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="700"></iframe>`;

/** The fields with the form element around them. It sends to the form's page, which shows the confirmation. */
export const htmlCode = (url: string, markup: string): string =>
  `<form action="${escaped(url)}" method="post" enctype="multipart/form-data">\n${markup.trim()}\n</form>`;

export const reactCode = (form: SharedForm): string =>
  `import { CfForm } from "cf-forms/react";\n\nexport const Form = () => (\n  ${component(form)}\n);`;

export const astroCode = (form: SharedForm): string =>
  `---\nimport CfForm from "cf-forms/astro/CfForm.astro";\n---\n${component(form)}`;

/** A command that submits a sample answer for each required field, or for the first one. */
export function curlCode(url: string, fields: readonly Field[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const samples = sampleAnswers(fields, "Hello");
  const required = samples.filter(({ field }) => field.required);
  const first = samples.filter(({ field }) => field === samples[0]?.field);
  const answers = (required.length > 0 ? required : first).map(
    ({ name, value }) => `  --data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  return ["curl -H 'Accept: application/json'", ...answers, `  ${quoted(url)}`].join(" \\\n");
}
