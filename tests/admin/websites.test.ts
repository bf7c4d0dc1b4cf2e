/** Texts that users paste as a website that may show a form. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { websiteOf } from "../../admin/features/form/website.ts";

it("accepts any page's address as its website, and rejects texts that cannot be an origin", () => {
  const websites = {
    "https://example.org": "https://example.org",
    " https://www.example.org/a/page?of=it#here ": "https://www.example.org",
    "example.org/contact": "https://example.org",
    "http://localhost:8080/x": "http://localhost:8080",
    "HTTPS://EXAMPLE.ORG:443/": "https://example.org",
    "https://user:secret@example.org/": "https://example.org",
    "https://münchen.example/": "https://xn--mnchen-3ya.example",
    "": null,
    "our website": null,
    "javascript:alert(1)": null,
    "ftp://example.org/": null,
    "data:text/html,x": null,
    "https://*": null,
    word: null,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(websites).map((text) => [text, websiteOf(text)])), websites);
});
