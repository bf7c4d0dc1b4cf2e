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
    await page.getByText("One submission in the file", { exact: true }).waitFor();
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
  await page.getByRole("button", { name: "Import submissions" }).click();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await page.getByText("One submission imported now").waitFor();
  const [report] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the report" }).click(),
  ]);
  assert.match(await readFile(await report.path(), "utf8"), /Shoe size/);
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
  await page.getByRole("button", { name: "Import another file" }).click();
  await choose();
  await placeOf("Town").filter({ hasText: "Address: city" }).waitFor();
  await page.getByRole("button", { name: "Import submissions" }).click();
  await page.getByText("No new submissions").waitFor();
  await page.getByRole("link", { name: "Survey", exact: true }).click();
  await page.getByRole("heading", { name: "Survey", level: 1 }).waitFor();
  assert.deepEqual(faults, []);
});

it("shows each form with its warnings, imports the chosen ones, survives a reload, and undoes the import", {
  skip: noChromium,
  timeout: 90_000,
}, async (t) => {
  const host = await startSite(t);
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await show(page, "/forms/import");
  const sample = new URL("../cases/imports/wordpress-site.xml", import.meta.url);
  const drop = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "site.xml", { type: "text/xml" }));
      return data;
    },
    await readFile(sample, "utf8"),
  );
  await page.locator(".import-drop").dispatchEvent("drop", { dataTransfer: drop });
  await page.getByText(/^Recognized: A whole WordPress site/).waitFor();
  const boxes = page.getByRole("checkbox");
  const count = await boxes.count();
  assert.ok(count > 1);
  await page.getByRole("heading", { name: `${count} forms to import` }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.locator("section .checkbox").first().click();
  await page
    .getByRole("heading", { name: count === 2 ? "One form to import" : `${count - 1} forms to import` })
    .waitFor();
  await page.getByRole("button", { name: "Import forms" }).click();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  const forms = () => api<readonly FormRef[]>(host.url, "GET", "/forms");
  assert.equal((await forms()).length, count - 1);
  await page.getByRole("button", { name: "Undo the import" }).click();
  await page.getByRole("heading", { name: "Import canceled: everything it created was deleted" }).waitFor();
  assert.equal((await forms()).length, 0);
  assert.deepEqual(faults, []);
});
