/**
 * A plugin for cf-forms: the action `append_line` appends a line to a file for each submission, with one of its answers.
 *
 *     import { appendLine } from "cf-forms-example-custom-action";
 *     forms.registerAction(appendLine({ directory: "./lines" }));
 */
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ActionSettings, ActionType, Forms } from "cf-forms";
import { PermanentError, settingName } from "cf-forms";

export interface AppendLineOptions {
  /** Folder of the files. A form's owner names a file in it, never a path. */
  readonly directory: string;
}

const FILE_NAME = /^[A-Za-z0-9_-]{1,60}\.txt$/;

export function appendLine({ directory }: AppendLineOptions): ActionType {
  return {
    type: "append_line",
    label: "Append a line to a file",

    settings(current, index) {
      const file = escapeHtml(text(current["file"]));
      const field = escapeHtml(text(current["field"]));
      return `
        <input type="hidden" name="${settingName(index, "type")}" value="append_line">
        <label>File <input name="${settingName(index, "file")}" value="${file}" placeholder="leads.txt" required></label>
        <label>Field <input name="${settingName(index, "field")}" value="${field}" placeholder="email"></label>`;
    },

    async process(settings: ActionSettings, submission, form) {
      const file = text(settings["file"]);
      if (file === "") return false;
      // A retry would fail on the same name, so the error is permanent.
      if (!FILE_NAME.test(file)) throw new PermanentError(`${file} is not the name of a text file`);
      const field = text(settings["field"]) || "email";
      const answer = text(submission.data[field]).replace(/\s+/g, " ");
      await mkdir(directory, { recursive: true });
      // The key is the same for every attempt, so that readers of the file can recognize retries.
      await appendFile(join(directory, file), `${settings.idempotency_key}\t${form.title}\t${answer}\n`);
      return true;
    },
  };
}

/** Adds a field for bank accounts, and a property of text and email fields, to the form editor. */
export function addToEditor({ hooks }: Pick<Forms, "hooks">): void {
  hooks.addFilter("cf_editor_field_types", "append-line/iban", (types) => [
    ...types,
    {
      type: "text",
      label: "Bank account",
      field: {
        description: "Your IBAN",
        validation: { pattern: "[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}" },
        attributes: { "data-line": "iban" },
      },
    },
  ]);
  hooks.addFilter("cf_editor_panels", "append-line/panel", (panels) => [
    ...panels,
    {
      title: "Line in the file",
      types: ["text", "email"],
      inputs: [{ attribute: "data-line", label: "Called there", help: "What the file calls this answer." }],
    },
  ]);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
