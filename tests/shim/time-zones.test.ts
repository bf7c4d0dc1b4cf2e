/** Days of time zones: the clock of the host, and `today()` in calculations. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { momentIn } from "../../host-shim/src/zone-clock.ts";
import { member, startSite, type JsonValue } from "./site.ts";

it("a zone's clock has the offset of the moment", () => {
  const hours = (zone: string, moment: string): number =>
    ((momentIn(zone, Date.parse(moment)) ?? Number.NaN) - Date.parse(moment)) / 3_600_000;
  assert.equal(hours("Europe/Berlin", "2026-03-29T00:59:59.999Z"), 1);
  assert.equal(hours("Europe/Berlin", "2026-03-29T01:00:00Z"), 2);
  assert.equal(hours("Asia/Kathmandu", "2026-11-28T12:00:00Z"), 5.75);
  assert.equal(hours("America/St_Johns", "1969-12-31T23:59:59Z"), -3.5);
  assert.equal(momentIn("Europe/Atlantis", 0), null);
});

it("today() is the day in the form's time zone", async (t) => {
  const site = await startSite();
  t.after(() => site.close());
  const fields = [{ name: "day", type: "date", attributes: { "data-calc": "today()", readonly: "" } }, { name: "n" }];
  // The zones are 25 hours apart, so at any moment at least one of them has another day than the host.
  for (const time_zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const made = await site.api("POST", "/forms", { title: "Day", schema: { fields }, settings: { time_zone } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const form = `${site.url}/forms/${String(member(made.body as JsonValue, "slug"))}`;
    assert.ok((await (await fetch(form)).text()).includes(` data-zone="${time_zone}"`));
    const today = (): string => new Date().toLocaleDateString("sv", { timeZone: time_zone });
    const before = today();
    const sent = await fetch(form, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ n: "1" }),
    });
    const id = String(member((await sent.json()) as JsonValue, "submission_id"));
    const { body } = await site.api("GET", `/submissions/${id}`);
    const stored = String(member(member(body, "data"), "day"));
    assert.ok([before, today()].includes(stored), `${stored} in ${time_zone}`);
  }
  const unknown = await site.api("POST", "/forms", { title: "Day", settings: { time_zone: "Europe/Atlantis" } });
  assert.equal(unknown.status, 400);
});
