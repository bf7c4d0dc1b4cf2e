/** Forms for pages of another site, and the pages: the examples of docs/embedding.md. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Site } from "../shim/site.ts";
import { makeForm } from "./browser-site.ts";

const FIELDS = [
  { name: "who", label: "Your name", required: true },
  { name: "more", label: "More", required: true, conditions: [{ field: "who", operator: "equals", value: "Grace" }] },
  {
    name: "kind",
    type: "radio",
    label: "Kind",
    css_class: "cf-cards",
    options: [
      { value: "a", label: "A", image: "/pictures/a.svg" },
      { value: "b", label: "B" },
    ],
  },
  {
    name: "row",
    type: "select",
    label: "Row",
    options: Array.from({ length: 30 }, (_, index) => ({ value: `${index}`, label: `Row ${index}` })),
  },
  { name: "terms", type: "consent", label: "I know the [terms](/terms)." },
  { name: "send", type: "submit", label: "Send" },
];

const DOCS = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");

/** The examples of the page in a language, with the addresses of this run. */
const examples = (site: Site, language: string): readonly string[] =>
  [...DOCS.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text.replaceAll("https://forms.example", site.url));

export const example = (site: Site, language: string, part = ""): string => {
  const found = examples(site, language).filter((text) => text.includes(part));
  assert.equal(found.length, 1, `${language} with ${part}`);
  return found[0] ?? "";
};

/** A React script with the component of the documentation. */
function react(site: Site, code: string): string {
  const contents = `${example(site, "jsx").replace('slug="contact"', 'slug={globalThis.slug ?? "contact"} frame={globalThis.frame}')}\n${code}`;
  const resolveDir = fileURLToPath(new URL("../../", import.meta.url));
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir, loader: "jsx" },
    bundle: true,
    format: "esm",
    write: false,
    jsx: "automatic",
    logLevel: "silent",
    alias: { "cf-forms/react": fileURLToPath(new URL("../../client/components/react.ts", import.meta.url)) },
    // React's development build reports where the browser's page differs from the server's.
    define: { "process.env.NODE_ENV": '"development"' },
  });
  return outputFiles[0]?.text ?? "";
}

const ON_A_SERVER = `import { renderToString } from "react-dom/server.edge"; export const html = (values) => (Object.assign(globalThis, values), renderToString(<Contact />));`;
const IN_A_BROWSER = `import { hydrateRoot } from "react-dom/client"; const root = hydrateRoot(document.getElementById("place"), <Contact />); window.showAgain = () => root.render(<Contact />);`;

/**
 * Creates five forms and stores their ids: a form for every site, two forms only for the other site, a form with steps,
 * and a form only for unknown sites.
 */
export async function makeForms(site: Site, origin: string, near: string, ids: Record<string, number>): Promise<void> {
  const layout = {
    type: "multi-step",
    steps: [
      { id: "a", title: "You", fields: ["who", "more", "kind"] },
      { id: "b", title: "The rest", fields: ["row", "terms", "send"] },
    ],
  };
  const forms: readonly (readonly [string, object, object])[] = [
    ["anyone", { hide_after_success: true }, {}],
    [
      "contact",
      { allowed_origins: [origin], hide_after_success: true, success_button: { label: "Home", url: "/home" } },
      {},
    ],
    ["guests", { allowed_origins: [origin] }, {}],
    ["steps", { allowed_origins: [origin, near] }, { layout }],
    ["strangers", { allowed_origins: ["https://example.org"] }, {}],
  ];
  for (const [slug, settings, schema] of forms) {
    ids[slug] = await makeForm(site, { title: "Contact us", slug, schema: { fields: FIELDS, ...schema }, settings });
  }
}

/** Responses of the other site, by path. */
export type Pages = Map<string, { readonly type: string; readonly body: string }>;

function put(pages: Pages, path: string, body: string): void {
  pages.set(path, {
    type: "text/html",
    body: `<!doctype html><html lang="en"><title>Other</title><main><h1>Other</h1>${body}</main></html>`,
  });
}

export async function fillPages(site: Site, pages: Pages): Promise<void> {
  const [paste = "", prefilled = "", framed = "", frame = ""] = examples(site, "html");
  for (const slug of ["anyone", "contact", "steps", "strangers"]) {
    put(pages, `/${slug}`, paste.replaceAll("contact", slug));
    put(pages, `/${slug}/frame`, framed.replaceAll("contact", slug));
  }
  put(pages, "/prefilled", prefilled);
  put(pages, "/prefilled/frame", framed.replace(" frame>", " frame prefill>"));
  put(pages, "/looks", `<link rel="stylesheet" href="/looks.css">${paste}<script src="/listens.js"></script>`);
  pages.set("/looks.css", { type: "text/css", body: example(site, "css") });
  pages.set("/listens.js", { type: "text/javascript", body: example(site, "js", "addEventListener") });
  const [, inline = ""] = /<script>(.*)<\/script>/s.exec(frame) ?? [];
  put(pages, "/plain", `${frame.replace(/<script>.*<\/script>/s, "")}<script src="/plain.js"></script>`);
  pages.set("/plain.js", { type: "text/javascript", body: inline });
  await putReactPages(site, pages);
  const AsyncFunction = (async () => undefined).constructor as new (code: string) => () => Promise<string>;
  put(pages, "/server", await new AsyncFunction(`${example(site, "js", "await fetch")} return form;`)());
  put(pages, "/twice", paste.replaceAll("contact", "anyone").repeat(2));
  const fragment = await (await fetch(`${site.url}/forms/anyone/embed`)).text();
  put(pages, "/twice/inline", fragment + fragment);
  const assets = fragment.match(/<(link|script)[^>]*>(<\/script>)?/g)?.join("") ?? "";
  put(pages, "/twice/loaded", `${assets}${`<div data-cf-embed="${site.url}/forms/anyone/embed"></div>`.repeat(2)}`);
}

/** Adds the pages whose component their server has rendered. */
async function putReactPages(site: Site, pages: Pages): Promise<void> {
  pages.set("/react.js", { type: "text/javascript", body: react(site, IN_A_BROWSER) });
  const { html } = (await import(
    `data:text/javascript;base64,${Buffer.from(react(site, ON_A_SERVER)).toString("base64")}`
  )) as { html(values: object): string };
  for (const frame of [false, true]) {
    put(
      pages,
      `/react${frame ? "/frame" : ""}`,
      `<div id="place">${html({ frame })}</div><script src="/frame-${frame}.js"></script><script type="module" src="/react.js"></script>`,
    );
    pages.set(`/frame-${frame}.js`, { type: "text/javascript", body: `globalThis.frame = ${frame}` });
  }
}
