/** Import of submissions from CSV: the form that gets them, the fields of the columns, and the report. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, type FormRef, show, signIn, startBrowser, startSite } from "./admin-site.ts";

it("imports the submissions of a CSV file into a form, with the fields chosen for its columns", {
  skip: noChromium,
  timeout: 90_000,
}, async (t) => {
  const host = await startSite(t);
  const form = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Survey",
    schema: {
      fields: [
        { name: "email", type: "email", label: "E-mail" },
        { name: "home", type: "address", label: "Address" },
      ],
    },
  });
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  const lines = ["E-mail;Town;Sent on;Shoe size", "ada@example.org;Bonn;03.04.2026 09:30;42"];
  const choose = async () => {
    await show(page, "/forms/import");
    const buffer = Buffer.from(lines.join("\n"));
    await page.getByLabel("File", { exact: true }).setInputFiles({ name: "old.csv", mimeType: "text/csv", buffer });
    await page.getByRole("heading", { name: "Form for these submissions" }).waitFor();
    await page.getByRole("button", { name: /Choose a form/ }).click();
    await page.getByRole("option", { name: "Survey" }).click();
  };
  const placeOf = (heading: string) => page.getByRole("button", { name: new RegExp(`Field: ${heading}`) });
  const place = async (heading: string, field: string) => {
    await placeOf(heading).click();
    await page.getByRole("option", { name: field, exact: true }).click();
  };
  await choose();
  // A heading that is a field's label suggests that field.
  await placeOf("E-mail").filter({ hasText: "E-mail" }).waitFor();
  await place("Town", "Address: city");
  await place("Sent on", "Time of the submission");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Show the preview" }).click();
  await page.getByText("One submission in the file", { exact: true }).waitFor();
  const [report] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the report" }).click(),
  ]);
  assert.match(await readFile(await report.path(), "utf8"), /Shoe size/);
  await page.getByRole("button", { name: "Import submissions" }).click();
  await page.getByText("One submission in the file: 1 imported now, 0 imported before").waitFor();
  const submissions = await api<readonly { readonly data: unknown; readonly submitted_at: string }[]>(
    host.url,
    "GET",
    `/forms/${form.id}/submissions`,
  );
  assert.equal(submissions.length, 1);
  const home = { street: "", street2: "", postal_code: "", city: "Bonn", state: "", country: "" };
  assert.deepEqual(submissions[0]?.data, { email: "ada@example.org", home, shoe_size: "42" });
  assert.match(submissions[0]?.submitted_at ?? "", /^2026-04-03T/);

  // The mapping is remembered, and the same submission is stored once.
  await show(page, "/forms");
  await choose();
  await placeOf("Town").filter({ hasText: "Address: city" }).waitFor();
  await page.getByRole("button", { name: "Show the preview" }).click();
  await page.getByRole("button", { name: "Import submissions" }).click();
  await page.getByText("One submission in the file: 0 imported now, 1 imported before").waitFor();
  await page.getByRole("link", { name: "Survey", exact: true }).click();
  await page.getByRole("heading", { name: "Survey", level: 1 }).waitFor();
  assert.deepEqual(faults, []);
});
