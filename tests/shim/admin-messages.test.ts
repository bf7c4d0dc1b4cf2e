/** Sentences of the API in the admin's languages (admin/shared/text/api-message.ts). */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { messages } from "../../admin/locales/de/api-messages.ts";
import { translateMessage } from "../../admin/shared/text/api-message.ts";

const ROOT = new URL("../../", import.meta.url);

/** Sources with English texts, without the line breaks in Rust's texts. */
const sources = ["src", "crates", "host-shim/hosts/embedded"]
  .flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:rs|ts)$/.test(entry.name))
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8")),
  )
  .join("\n")
  .replaceAll(/\\\n\s*/g, "");

const german = setupI18n({
  locale: "de",
  messages: {
    de: Object.fromEntries(Object.entries(messages).map(([id, text]) => [id, compileMessage(text)])),
  },
});
const plain = setupI18n({ locale: "en", messages: { en: {} } });

describe("messages of the API", () => {
  it("are translated sentence by sentence, with their variables", () => {
    for (const [english, translated] of [
      ["The conditions were not met.", "Die Bedingungen waren nicht erfüllt."],
      [
        "Accepted by the mail server for ada@example.com, bob@example.com.",
        "Vom Mailserver angenommen für ada@example.com, bob@example.com.",
      ],
      [
        "Kept in the outbox, not sent, for ada@example.com. File links were left out because the site has no public URL. “x” is not an email address.",
        "Im Postausgang für ada@example.com, nicht versandt. Dateilinks fehlen, weil die Website keine öffentliche URL hat. „x“ ist keine E-Mail-Adresse.",
      ],
      [
        "The server responded with 500: Out of order. Call again.",
        "Der Server antwortete mit 500: Out of order. Call again.",
      ],
      ["The server responded with 204.", "Der Server antwortete mit 204."],
      ["Not set up yet: URL is empty.", "Noch nicht eingerichtet: URL ist leer."],
      ["URL is empty.", "URL ist leer."],
    ] as const)
      assert.equal(translateMessage(german, english), translated);
  });

  it("stay English if a sentence is unknown", () => {
    assert.equal(translateMessage(german, "The plugin has its own words."), null);
    assert.equal(translateMessage(german, "The conditions were not met. The plugin has its own words."), null);
    assert.equal(translateMessage(plain, "The conditions were not met."), null);
    const start = performance.now();
    assert.equal(translateMessage(german, "Not set up yet: ".repeat(200)), null);
    assert.ok(performance.now() - start < 1_000);
  });

  it("are those of the engine and the host", () => {
    const unknown = Object.keys(messages).flatMap((id) =>
      id
        .slice("english.".length)
        .split(/\{\w+\}/)
        .filter((part) => part.trim().length > 3 && !sources.includes(part.trim().replace(/\.$/, ""))),
    );
    assert.deepEqual(unknown, []);
  });
});
