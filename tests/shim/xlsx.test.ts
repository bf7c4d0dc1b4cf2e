/** Submissions as XLSX. The test parses the ZIP file by its central directory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, inflateRawSync } from "node:zlib";
import { member, startSite, type Site } from "./site.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async function exportOf(site: Site, query: string): Promise<{ response: Response; sheet: string; names: string[] }> {
  const response = await fetch(`${site.url}/api/cf/v1/forms/1/submissions/export?${query}`, {
    headers: { "x-test-caller": "administrator" },
  });
  const parts = unzipped(Buffer.from(await response.arrayBuffer()));
  return { response, sheet: parts.get("xl/worksheets/sheet1.xml") ?? "", names: [...parts.keys()] };
}

/** The texts in a ZIP file, by their names. */
function unzipped(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = file.length - 22;
  assert.equal(file.readUInt32LE(end), 0x06054b50);
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(file.readUInt32LE(at), 0x02014b50);
    const [crc, packed, size] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const [nameLength, extraLength] = [28, 30].map((offset) => file.readUInt16LE(at + offset)) as [number, number];
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    const start = file.readUInt32LE(at + 42);
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const bytes = inflateRawSync(file.subarray(data, data + packed));
    assert.deepEqual([bytes.length, crc32(bytes)], [size, crc], name);
    parts.set(name, bytes.toString("utf8"));
    at += 46 + nameLength + extraLength;
  }
  return parts;
}

/** The cells of each row: numbers, and texts. */
function rowsOf(sheet: string): (string | number)[][] {
  const text = (words: string) =>
    words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#13;", "\r").replaceAll("&amp;", "&");
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [
      ...row.matchAll(
        /<c\/>|<c><v>(.*?)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>/gs,
      ),
    ].map(([, number, words]) => (number === undefined ? text(words ?? "") : Number(number))),
  );
}

test("an export as XLSX has typed cells and no formulas", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const { body: form } = await site.api("POST", "/forms", {
    title: "Order",
    slug: "order",
    markup:
      "<textarea name=what></textarea><input name=count type=number><input name=tel><select name=size><option value=s>Small & fine</select>",
  });
  assert.equal(member(form, "id"), 1);
  const submit = async (answers: Readonly<Record<string, string>>) => {
    const headers = { accept: "application/json" };
    const body = new URLSearchParams(answers);
    assert.equal((await fetch(`${site.url}/forms/order`, { method: "POST", body, headers })).status, 200);
  };
  const hostile = "=1+1 <b>&amp;</b> _x0041_ 😀";
  await submit({ what: hostile, count: "-3.5", tel: "+49 (30) 123-45", size: "s" });
  await submit({ what: "two\nlines", count: "2", tel: "", size: "s" });
  const { response, sheet, names } = await exportOf(site, "format=xlsx&labels=true&columns=id,what,count,tel,size");
  assert.equal(response.headers.get("content-type"), TYPE);
  assert.match(
    response.headers.get("content-disposition") ?? "",
    /^attachment; filename="order-\d{4}-\d\d-\d\d\.xlsx"/,
  );
  assert.deepEqual(names.sort(), [
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/_rels/workbook.xml.rels",
    "xl/workbook.xml",
    "xl/worksheets/sheet1.xml",
  ]);
  assert.doesNotMatch(sheet, /<f[ >]/);
  assert.deepEqual(rowsOf(sheet.replaceAll("_x005F_", "_")), [
    ["id", "what", "count", "tel", "size"],
    [2, "two\nlines", 2, "", "Small & fine"],
    [1, hostile, -3.5, "+49 (30) 123-45", "Small & fine"],
  ]);
  const values = await exportOf(site, "format=xlsx&columns=size&search=two");
  assert.deepEqual(rowsOf(values.sheet), [["size"], ["s"]]);
  const csv = await fetch(`${site.url}/api/cf/v1/forms/1/submissions/export?columns=tel,what`, {
    headers: { "x-test-caller": "administrator" },
  });
  assert.match(await csv.text(), /\r\n\+49 \(30\) 123-45,"?'=1\+1/, "a phone number gets no apostrophe");
  // The export is large enough for several pieces.
  for (let more = 0; more < 600; more += 1) await submit({ what: `n${more}`, count: String(more), tel: "", size: "s" });
  assert.equal(rowsOf((await exportOf(site, "format=xlsx")).sheet).length, 603);
});

test("an export of more than 50,000 submissions as XLSX is rejected", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  await site.api("POST", "/forms", { title: "Many", slug: "many", markup: "<input name=a>" });
  const { database } = site;
  await database.batch([
    {
      sql: `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
          files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001)
        SELECT 'u' || i, 1, 'new', '', 0, 0, '[]', 0, '{}', '[]', '', '', '', '', 1, i, i FROM n`,
      params: [],
    },
  ]);
  const path = "/forms/1/submissions/export?format=xlsx";
  const { status, body } = await site.api("GET", path);
  assert.deepEqual([status, member(body, "code")], [400, "export_too_large"]);
  await database.batch([{ sql: "DELETE FROM cf_submissions WHERE id = 1", params: [] }]);
  assert.equal(rowsOf((await exportOf(site, "format=xlsx&columns=id")).sheet).length, 50_001);
});
