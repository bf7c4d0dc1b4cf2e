/** Pictures of forms: their type is detected from the bytes, their key is the hash, and they are safe to show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sanitizeSvg } from "../../host-shim/src/svg.ts";
import { member, startSite } from "./site.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
const WEBP = Uint8Array.from([..."RIFF\0\0\0\0WEBPVP8 "].map((character) => character.charCodeAt(0)));
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="alert(1)"><script>alert(1)</script><path d="M0 0"/></svg>';

test("pictures get a public address that never changes", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const { body: form } = await site.api("POST", "/forms", { title: "Logo", slug: "logo", markup: "<input name=a>" });
  const address = `${site.url}/api/cf/v1/forms/${member(form, "id")}/images`;
  const upload = async (content: Uint8Array | string, name = "a.bin", caller = "administrator", to = address) => {
    const body = new FormData();
    body.append("file", new File([content as BlobPart], name));
    const response = await fetch(to, { method: "POST", body, headers: { "x-test-caller": caller } });
    return { status: response.status, body: (await response.json()) as { url: string; code: string } };
  };
  for (const [content, type, extension] of [
    [PNG, "image/png", "png"],
    [JPEG, "image/jpeg", "jpg"],
    [WEBP, "image/webp", "webp"],
    [SVG, "image/svg+xml", "svg"],
  ] as const) {
    const { status, body } = await upload(content, "evil.html");
    assert.equal(status, 201, JSON.stringify(body));
    assert.match(body.url, new RegExp(`^${site.url}/forms/-/images/1/[0-9a-f]{32}\\.${extension}$`));
    const shown = await fetch(body.url);
    assert.equal(shown.status, 200);
    assert.equal(shown.headers.get("content-type"), type);
    assert.equal(shown.headers.get("x-content-type-options"), "nosniff");
    assert.match(shown.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
    assert.match(shown.headers.get("cache-control") ?? "", /public.*immutable/);
    const bytes = new Uint8Array(await shown.arrayBuffer());
    if (typeof content !== "string") assert.deepEqual(bytes, content);
    else assert.doesNotMatch(new TextDecoder().decode(bytes), /script|onload/);
    assert.equal((await upload(content)).body.url, body.url, "equal bytes have one address");
    const saved = await site.api("PATCH", `/forms/${member(form, "id")}`, { settings: { logo: body.url } });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  }
  for (const [content, expected, code] of [
    ["<html><script>alert(1)</script></html>", 400, "rest_invalid_param"],
    ["GIF89a", 400, "rest_invalid_param"],
    ["", 400, "rest_invalid_param"],
    [new Uint8Array((1 << 20) + 1).fill(0x89), 413, "rest_payload_too_large"],
  ] as const) {
    const { status, body } = await upload(content);
    assert.deepEqual([status, body.code], [expected, code]);
  }
  const large = new Uint8Array(1 << 20);
  large.set(PNG);
  assert.equal((await upload(large)).status, 201, "exactly 1 MB");
  assert.equal((await upload(PNG, "a.png", "subscriber")).body.code, "rest_forbidden");
  assert.equal((await upload(PNG, "a.png", "reader")).body.code, "rest_forbidden");
  assert.equal(
    (await upload(PNG, "a.png", "administrator", address.replace("/1/", "/99/"))).body.code,
    "form_not_found",
  );
  const bare = await fetch(address, { method: "POST", body: "{}", headers: { "x-test-caller": "administrator" } });
  assert.deepEqual([bare.status, ((await bare.json()) as { code: string }).code], [400, "missing_type"]);
  for (const path of ["1/nothing.png", `1/${"0".repeat(32)}.png`, `../files/x`, `1/${"0".repeat(32)}.html`]) {
    assert.equal((await fetch(`${site.url}/forms/-/images/${path}`)).status, 404, path);
  }
  const { url } = (await upload(PNG)).body;
  await site.api("DELETE", `/forms/${member(form, "id")}?force=true`);
  assert.equal((await fetch(url)).status, 404, "deleting a form deletes its pictures");
});

test("an SVG loses scripts, styles and external references", () => {
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
  for (const [source, cleaned] of [
    ["<path d='M0 0' fill=\"url(#a)\"/>", '<path d="M0 0" fill="url(#a)"/>'],
    ["<g><title>A &amp; B</title></g>", "<g><title>A &amp; B</title></g>"],
    ["<script>alert(1)</script>", ""],
    ["<SCRIPT>alert(1)</SCRIPT>", ""],
    ["<svg:script>alert(1)</svg:script>", ""],
    ["<foreignObject><body onload='x'/></foreignObject>", ""],
    ["<a href='javascript:alert(1)'><path/></a>", ""],
    ["<path onclick='x' ONLOAD='y'/>", "<path/>"],
    ["<image href='https://evil.example/x.png'/>", ""],
    ["<use href='https://evil.example/x.svg#a'/><use href='#a'/>", '<use/><use href="#a"/>'],
    ["<use xlink:href='&#x68;ttps://evil.example'/>", "<use/>"],
    ["<rect fill='url(https://evil.example)' style='background:u\\72l(x)'/>", "<rect/>"],
    ["<rect style='fill:red;stroke:url(#b)'/>", '<rect style="fill:red;stroke:url(#b)"/>'],
    ["<style>@import 'https://evil.example'</style>", ""],
    ["<animate attributeName='href' to='javascript:alert(1)'/>", ""],
    ["<set attributeName='onload' to='alert(1)'/>", ""],
    ["<text><![CDATA[<script>alert(1)</script>]]></text>", "<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>"],
    ["<!-- <script> --><g/>", "<g/>"],
    ["<?xml-stylesheet href='https://evil.example'?><g/>", "<g/>"],
  ] as const) {
    assert.equal(sanitizeSvg(svg(source)), svg(cleaned), source);
  }
  for (const broken of [
    "",
    "text",
    "<p></p>",
    "<svg>",
    "<svg></svg><svg></svg>",
    "<svg></g></svg>",
    '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>',
    "<svg>&nbsp;</svg>",
    "<svg><path d=M0/></svg>",
    "<svg a='<script>'></svg>",
    "<svg>".repeat(300),
  ]) {
    assert.equal(sanitizeSvg(broken), null, broken.slice(0, 60));
  }
  const begun = performance.now();
  sanitizeSvg(`<svg ${"a='b' ".repeat(100_000)}`);
  sanitizeSvg(`<svg>${"<".repeat(500_000)}</svg>`);
  sanitizeSvg(`<svg>${"&".repeat(500_000)}</svg>`);
  assert.ok(performance.now() - begun < 2_000, "hostile input takes linear time");
});
