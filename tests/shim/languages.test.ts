/** The texts for visitors: every language has each of them, with the same placeholders, and each is used. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { english as packaged } from "../../visitor/languages/english.ts";
import { languages } from "../../visitor/languages/index.ts";
import { member, startSite } from "./site.ts";

const folder = new URL("../../visitor/languages/", import.meta.url);
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
const english = read("en.json");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test("there are thirteen languages", () => assert.equal(files.length, 13));

test("the package has the texts of the catalogues", () => {
  const others = files.filter((name) => name !== "en.json").map((name) => [name.replace(".json", ""), read(name)]);
  assert.deepEqual(languages, Object.fromEntries(others));
});

for (const file of files) {
  test(`${file} has every key and every placeholder of the English texts`, () => {
    const texts = read(file);
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(placeholders(text), placeholders(english[key] ?? ""), key);
      if (key !== "group_mark") assert.notEqual(text.trim(), "", key);
    }
  });
}

test("the shim has the English texts", () => assert.deepEqual(packaged, english));

const root = new URL("../../", import.meta.url);

/** The code that uses texts, without the lists of keys. */
const code = ["src", "crates", "visitor/script", "visitor/embed", "host-shim/src"]
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:rs|ts)$/.test(name) && !/^model\/src\/(?:messages|page_words)\.rs$/.test(name))
      .map((name) => readFileSync(new URL(`${folder}/${name}`, root), "utf8")),
  )
  .join("\n");

test("each text is used", () => {
  const isNamed = (name: string) => code.includes(`"${name}"`);
  // Keys that code composes, such as `format!("part_{}", part.name)` and `upload_${state}`.
  const isMade = (key: string) => {
    const [, prefix = "", rest = ""] = /^([a-z]+_)(.+)$/.exec(key) ?? [];
    const isPrefix = code.includes(`"${prefix}{`) || code.includes(`\`${prefix}\${`);
    if (prefix !== "" && isPrefix && isNamed(rest)) return true;
    return key.endsWith("_up_to") && isNamed("_up_to") && isNamed(key.slice(0, -"_up_to".length));
  };
  const FAMILIES = ["type_image", "type_audio", "type_video"];
  assert.deepEqual(
    Object.keys(english).filter((key) => !isNamed(key) && !isMade(key) && !FAMILIES.includes(key)),
    [],
  );
});

/** Keys of texts and formats that are not messages of a form. */
const WORDS =
  `answers_kept answers_restored back_to_site body_too_slow captcha_unavailable characters_left check_answers
  choose_by_letter choose_by_number choose_by_tap clear_answer country_names currency_format date_format
  decimal_mark draft_title failed_title file_link_expired form_not_found go_on group_mark hide_password invalid_body
  keeps_nothing leave_empty mail_copy mail_copy_subject mail_off mail_open mail_subject no no_answer no_results not_answered
  not_found_title offline offline_now ok online_again only_if optional origin_not_allowed part_city part_country
  part_day part_first part_last part_month part_postal_code part_state part_street part_street2 part_year
  percent_format press_key print question_count question_count_up_to question_of question_of_up_to rank_down
  rank_hint rank_moved rank_up rest_payload_too_large review_change review_title row_add row_remove row_removed
  row_undo save_auto save_later saved_changed saved_copied saved_copy saved_delete saved_deleted saved_done
  saved_elsewhere saved_found saved_keep saved_link saved_load saved_mail saved_mail_address saved_mail_sent
  saved_mail_subject saved_mail_text saved_not_found saved_title saving_off seats_left seats_none send_another
  sending sending_slow sent_before server_error show_password signature_clear signature_done signature_draw
  signature_name signature_open signature_type site_busy site_failed size_bytes size_kb size_mb skip start
  start_again submit too_many_fields too_many_requests too_much_to_save try_again type_audio type_image type_video
  typo_hint upload_added upload_added_one upload_again upload_all_done upload_done upload_drop upload_drop_one
  upload_empty upload_failed upload_folder upload_form_waits upload_here upload_large upload_later upload_list
  upload_many upload_max_each upload_max_files upload_max_size upload_missing upload_more upload_offline
  upload_one_done upload_one_only upload_pasted upload_pick upload_pick_one upload_pick_other upload_quota_reached
  upload_remove upload_remove_file upload_removed upload_retry upload_sending upload_some_done upload_sum
  upload_twice upload_type upload_unfinished upload_waiting yes`.split(/\s+/);

test("a form lists all English messages except the words that rendering adds", async () => {
  const site = await startSite();
  try {
    const messages = member((await site.api("POST", "/forms", { title: "A", markup: "" })).body, "messages");
    const listed = Object.entries(messages as Record<string, string>);
    for (const [key, text] of listed) assert.equal(english[key], text, key);
    assert.deepEqual(
      Object.keys(english)
        .filter((key) => !(key in (messages as object)))
        .sort(),
      WORDS,
    );
  } finally {
    await site.close();
  }
});

const NOTICES: readonly (readonly [acceptLanguage: string, language: string, text: string])[] = [
  ["de-AT,de;q=0.9,en;q=0.8", "de-AT", "Dieses Formular gibt es nicht, oder es ist nicht veröffentlicht."],
  ["xx, ja;q=0.5", "ja", "このフォームは存在しないか、公開されていません。"],
  ["en-US, de;q=0.5", "en", "This form doesn’t exist or isn’t published."],
  ["", "en", "This form doesn’t exist or isn’t published."],
];

test("the site's notices are in the visitor's language", async () => {
  const site = await startSite({ forms: { languages } });
  try {
    for (const [acceptLanguage, language, text] of NOTICES) {
      const headers = { "accept-language": acceptLanguage };
      const page = await (await fetch(`${site.url}/forms/missing`, { headers })).text();
      assert.ok(page.includes(`<html lang="${language}"`) && page.includes(text), `${acceptLanguage}: ${page}`);
      const response = await fetch(`${site.url}/forms/missing`, {
        headers: { ...headers, accept: "application/json" },
      });
      const body = (await response.json()) as { message: { text: string } };
      assert.equal(body.message.text, text, acceptLanguage);
    }
    const form = {
      title: "A",
      slug: "a",
      markup: "",
      settings: { language: "fr", allowed_origins: ["https://a.example"] },
    };
    assert.equal((await site.api("POST", "/forms", form)).status, 201);
    const headers = { origin: "https://b.example", accept: "application/json" };
    const refused = await fetch(`${site.url}/forms/a`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ a: "b" }),
    });
    const body = (await refused.json()) as { message: { text: string } };
    assert.equal(body.message.text, "Ce formulaire ne peut pas être utilisé sur ce site.");
  } finally {
    await site.close();
  }
});

test("a visitor who prefers English gets an `auto` form in English, with any second language", async () => {
  const site = await startSite({ forms: { languages } });
  try {
    const form = { title: "A", slug: "a", markup: "<button>Send</button>", settings: { language: "auto" } };
    await site.api("POST", "/forms", form);
    const page = await fetch(`${site.url}/forms/a`, { headers: { "accept-language": "en-GB, de;q=0.7" } });
    assert.match(await page.text(), /<html lang="en"/);
  } finally {
    await site.close();
  }
});

test("a preview has the texts of the form's language, and its conversion has the form's", async () => {
  const site = await startSite({ forms: { languages } });
  try {
    const messages = { required_field_missing: "Bitte, {label}!" };
    const schema = { fields: [{ name: "day", type: "select", label: "Tag", options: ["Montag"] }] };
    const body = { title: "A", schema, messages, settings: { language: "de" } };
    const preview = await site.api("POST", "/forms/preview?convert=true", body);
    const html = String(member(preview.body, "html"));
    for (const text of ['<html lang="de"', languages["de"]?.["no_answer"], "Bitte, {label}!"])
      assert.ok(text !== undefined && html.includes(text), `${text}: ${html}`);
    assert.ok(!html.includes(english["no_answer"] ?? "?"));
  } finally {
    await site.close();
  }
});
