/**
 * Uploads before the submit. form.ts loads this module only when a form has a file field. Each file is sent as soon as it
 * is chosen, and the form sends only its token. Without this module, the inputs send their files with the form.
 */
import { closest, native, page, rootOf, textOf } from "./dom.ts";
import type { ChosenFiles } from "./files.ts";
import { type StoredFile, UploadField } from "./upload-field.ts";
import { STYLE } from "./upload-style.ts";
import { Transfers } from "./upload-transfer.ts";

/** Time after the last `dragover` after which the drag counts as ended, in milliseconds. */
const DRAG_MS = 500;
/** Lifetime of the server's tokens, in milliseconds. */
const TOKEN_MS = 24 * 3_600_000;

/** A file kept in this tab: the name of its input, the file, and the time of keeping. */
type Kept = readonly [input: string, file: StoredFile, at: number];

const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes("Files") === true;

const started = new WeakMap<HTMLFormElement, Transfers>();

/** Returns a promise that resolves when all files are sent; undefined if no file is being sent. */
export function uploadsSettled(form: HTMLFormElement): Promise<void> | undefined {
  const transfers = started.get(form);
  return transfers?.isBusy === true ? transfers.settled() : undefined;
}

/** Starts the uploads of a form; returns the files that a reload has lost. */
export function startUploads(form: HTMLFormElement): ChosenFiles {
  const root = rootOf(form);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets.push(sheet);
  const transfers = new Transfers(form);
  const fields: UploadField[] = [];
  let isReady = false;
  const changed = (): void => {
    if (isReady) keep(form, fields);
  };
  for (const input of native(form).querySelectorAll<HTMLInputElement>("input[type=file][name]")) {
    if (input.matches("[aria-hidden=true] *")) continue;
    fields.push(new UploadField(form, input, transfers, changed));
  }
  for (const field of fields) takeOver(form, field);
  const lost = restore(form, fields);
  isReady = true;
  changed();
  for (const field of fields) {
    field.isReady = true;
    if (field.chosen.length > 0) field.add(field.chosen);
    // Conditions may depend on restored files.
    if (field.items.length > 0) field.refreshForm();
  }
  started.set(form, transfers);
  sendTokens(form, fields);
  takeDrops(form, fields);
  takePastes(form, fields);
  native(form).addEventListener("reset", () => {
    for (const field of fields) field.clear();
  });
  window.addEventListener("beforeunload", (event) => {
    if (native(form).isConnected && transfers.isBusy) event.preventDefault();
  });
  return lost;
}

/** Adds the files that the server's page lists to the field. */
function takeOver(form: HTMLFormElement, field: UploadField): void {
  for (const list of native(form).querySelectorAll("span.cf-files")) {
    for (const row of list.querySelectorAll<HTMLElement>(".cf-file")) {
      const token = row.querySelector<HTMLInputElement>("input[type=hidden]");
      const name = row.querySelector(".cf-file-name")?.textContent ?? "";
      if (token?.name !== field.input.name) continue;
      field.restore({ name, size: Number(row.dataset["size"] ?? 0), token: token.value });
      row.remove();
    }
    if (list.childElementCount === 0) list.remove();
  }
}

/* ---- Kept in this tab ---- */

const storageKey = (form: HTMLFormElement): string => `cf-files:${native(form).action}`;

function keep(form: HTMLFormElement, fields: readonly UploadField[]): void {
  const kept = fields.flatMap(({ input, items, lost }) => {
    const listed = items.map(({ file: { name, size }, token }) => ({ name, size, token }));
    const gone = lost.map((name) => ({ name, size: 0, token: "" }));
    return (listed.length > 0 ? listed : gone).map((file): Kept => [input.name, file, Date.now()]);
  });
  try {
    if (kept.length > 0) sessionStorage.setItem(storageKey(form), JSON.stringify(kept));
    else sessionStorage.removeItem(storageKey(form));
  } catch {
    // `sessionStorage` may be blocked or full; then a reload loses the files.
  }
}

/** Restores the files that this tab kept; returns the files whose bytes a reload has lost. */
function restore(form: HTMLFormElement, fields: readonly UploadField[]): ChosenFiles {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey(form)) ?? "[]") as readonly Kept[];
    for (const [name, file, at] of kept) {
      const field = fields.find(({ input }) => input.name === name);
      if (field === undefined || field.items.some(({ token }) => token === file.token)) continue;
      if (file.token === "" || Date.now() - at > TOKEN_MS) field.lost.push(file.name);
      else field.restore(file);
    }
  } catch {
    // `sessionStorage` may be blocked.
  }
  return fields.flatMap(({ input, lost }) => (lost.length > 0 ? [[input.name, lost] as const] : []));
}

/* ---- Sending ---- */

/** Replaces the inputs' files in the form's data: by a token for an uploaded file, or by the file to send now. */
function sendTokens(form: HTMLFormElement, fields: readonly UploadField[]): void {
  native(form).addEventListener("formdata", ({ formData }) => {
    const inputs = fields.filter(({ input }) => !input.matches(":disabled"));
    for (const { input } of inputs) formData.delete(input.name);
    for (const { input, items } of inputs) {
      for (const { token, state, file } of items) {
        if (state === "done") formData.append(input.name, token);
        else if (state === "later") formData.append(input.name, file, file.name);
      }
    }
  });
}

/* ---- Drops and the clipboard ---- */

function takeDrops(form: HTMLFormElement, fields: readonly UploadField[]): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => native(form).classList.remove("cf-dragging");
  const fieldAt = (target: EventTarget | null): UploadField | undefined => {
    const zone = closest(target, ".cf-drop");
    return fields.find((field) => field.zone === zone);
  };
  const root = rootOf(form);
  root.addEventListener("dragover", (event) => {
    const { dataTransfer, target } = event as DragEvent;
    if (!hasFiles(dataTransfer)) return;
    // The browser must not open a file that is dropped beside the zone.
    event.preventDefault();
    const over = fieldAt(target);
    dataTransfer.dropEffect = over === undefined ? "none" : "copy";
    native(form).classList.add("cf-dragging");
    for (const field of fields) field.zone.classList.toggle("cf-over", field === over);
    clearTimeout(timer);
    timer = setTimeout(end, DRAG_MS);
  });
  root.addEventListener("drop", (event) => {
    const { dataTransfer, target } = event as DragEvent;
    if (!hasFiles(dataTransfer)) return;
    event.preventDefault();
    end();
    const entries = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const files = [...dataTransfer.files].map((file, at) =>
      entries[at]?.isDirectory === true ? Object.assign(file, { isFolder: true }) : file,
    );
    fieldAt(target)?.add(files);
  });
}

function takePastes(form: HTMLFormElement, fields: readonly UploadField[]): void {
  let pasted = 0;
  rootOf(form).addEventListener("paste", (event) => {
    const { clipboardData, target } = event as ClipboardEvent;
    const files = [...(clipboardData?.files ?? [])];
    const isText = clipboardData?.types.includes("text/plain") === true;
    const isWriting = isText && closest(target, "input:not([type=file]),textarea") !== null;
    if (files.length === 0 || isWriting) return;
    const shown = fields.filter(({ input }) => input.checkVisibility() && !input.matches(":disabled"));
    const focused = shown.find(({ zone }) => zone.contains(page.activeElement));
    const field = focused ?? shown.find((one) => files.every((file) => one.accepts(file))) ?? shown[0];
    if (field === undefined) return;
    event.preventDefault();
    // A picture from the clipboard has only the default name `image.png`.
    const named = files.map((file) => {
      if (file.name !== "image.png") return file;
      const name = textOf(form, "upload_pasted").replace("{n}", `${(pasted += 1)}`);
      return new File([file], `${name}.png`, { type: file.type });
    });
    field.add(named);
  });
}
