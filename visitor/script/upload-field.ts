/**
 * A file field with a list: files are checked, shown and sent as soon as they are chosen. The transparent native input
 * covers the drop zone, so that the browser handles clicks, drops, keys and focus.
 */
import { element, native, textOf } from "./dom.ts";
import { localized } from "./faults.ts";
import { fieldOf, labelOf, SIGNATURES, type UploadLimits } from "./fields.ts";
import { newKey, type Transfer, type Transfers } from "./upload-transfer.ts";

/** Limit on the rejections that are shown one by one. */
const MAX_PROBLEMS = 4;
/** Time in which announcements are collected into one, in milliseconds. */
const ANNOUNCE_MS = 700;
/** Larger pictures get no preview. */
const MAX_PREVIEW_BYTES = 25 * 2 ** 20;
const PREVIEW_PIXELS = 96;

/** A listed file. Files of an earlier page have a token and no content. */
interface Item extends Transfer {
  readonly row: HTMLLIElement;
  readonly removeButton: HTMLButtonElement;
}

/** A stored file of an earlier page. */
export interface StoredFile {
  readonly name: string;
  readonly size: number;
  readonly token: string;
}

type Words = Readonly<Record<string, string | number>>;

const extensionOf = ({ name }: File): string => (/\.([^.]+)$/.exec(name)?.[1] ?? "").toLowerCase();

export class UploadField {
  readonly input: HTMLInputElement;
  readonly zone = element("div", "cf-drop");
  items: Item[] = [];
  /** Names of files that a reload has lost. */
  readonly lost: string[] = [];
  /** Files that were chosen before this script loaded. */
  readonly chosen: readonly File[];
  /** Whether files are restored, so that changes now come from the visitor and update conditions and faults. */
  isReady = false;
  readonly #form: HTMLFormElement;
  readonly #transfers: Transfers;
  readonly #limits: UploadLimits;
  readonly #pick = element("span", "cf-pick");
  readonly #list = element("ul", "cf-files");
  readonly #problems = element("div", "cf-problems");
  readonly #sum = element("p", "cf-sum");
  readonly #status = element("p", "cf-announced");
  readonly #changed: () => void;
  #announced: string[] = [];
  #arrived: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRefreshing = false;

  constructor(form: HTMLFormElement, input: HTMLInputElement, transfers: Transfers, changed: () => void) {
    this.#form = form;
    this.input = input;
    this.chosen = [...(input.files ?? [])];
    this.#transfers = transfers;
    this.#changed = changed;
    const { required } = input;
    const unknown = { extensions: "", types: "", files: input.multiple ? Infinity : 1, bytes: null, required };
    this.#limits = fieldOf(form, input)?.upload ?? unknown;
    this.#build();
    input.addEventListener("change", () => {
      if (!this.#isRefreshing) this.add([...(input.files ?? [])]);
    });
    // The pad of a signature sends this event to clear the file.
    input.addEventListener("cf-clear", () => this.clear());
  }

  #build(): void {
    const { input } = this;
    const label = input.labels?.[0];
    const id = (input.id ||= `cf-upload-${newKey()}`);
    const named = (part: HTMLElement, name: string): string => (part.id = `${id}--${name}`);
    this.zone.append(
      element("span", "cf-say", this.#text(input.multiple ? "upload_drop" : "upload_drop_one")),
      this.#pick,
      element("span", "cf-here", this.#text("upload_here")),
    );
    this.#problems.setAttribute("role", "alert");
    this.#status.setAttribute("role", "status");
    this.#list.setAttribute("aria-label", `${labelOf(this.#form, input)}: ${this.#text("upload_list")}`);
    input.before(this.zone);
    this.zone.append(input);
    (input.closest("label") ?? this.zone).after(this.#problems, this.#list, this.#sum, this.#status);
    if (label !== undefined && !input.hasAttribute("aria-label")) {
      label.id ||= `${id}--label`;
      input.setAttribute("aria-labelledby", `${label.id} ${named(this.#pick, "pick")}`);
    }
    const describedBy = [
      input.getAttribute("aria-describedby"),
      named(this.#problems, "problems"),
      named(this.#sum, "sum"),
    ];
    input.setAttribute("aria-describedby", describedBy.filter((one) => one !== null).join(" "));
    // Validity depends on the list, not on the input.
    input.required = false;
    input.dataset["cfUploads"] = "";
    if (this.#limits.required) input.setAttribute("aria-required", "true");
    this.#refresh();
  }

  #text(key: string, values: Words = {}): string {
    return textOf(this.#form, key).replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
  }

  /** Formats a size like the server (`size_text` of crates/model). */
  #size(bytes: number): string {
    const [key, plain, binary] =
      bytes >= 1e6
        ? (["size_mb", 1e6, 2 ** 20] as const)
        : bytes >= 1e3
          ? (["size_kb", 1e3, 2 ** 10] as const)
          : (["size_bytes", 1, 1] as const);
    const size = Math.floor((bytes / (bytes % binary === 0 ? binary : plain)) * 10) / 10;
    return this.#text(key, { size: localized(this.#form, String(size)) });
  }

  /** Whether the field accepts files of this type. */
  accepts(file: File): boolean {
    const { extensions } = this.#limits;
    const extension = extensionOf(file);
    return extensions === "" || extension === "" || extensions.split(" ").includes(extension);
  }

  /* ---- Adding and removing ---- */

  /** Adds the files that pass the checks, and shows why the others were rejected. */
  add(files: readonly (File & { isFolder?: boolean })[]): void {
    const isOne = !this.input.multiple;
    const rejections = isOne && files.length > 1 ? [this.#text("upload_one_only")] : [];
    const added: File[] = [];
    for (const file of rejections.length > 0 ? [] : files) {
      const rejection = this.#rejectionOf(file);
      if (rejection !== "") {
        rejections.push(rejection);
        continue;
      }
      if (isOne) for (const item of [...this.items]) this.#drop(item);
      added.push(file);
      this.#put(file, "");
    }
    this.#tell(rejections);
    const [first] = added;
    const key = added.length === 1 ? "upload_added_one" : "upload_added";
    if (first !== undefined) this.#announce(this.#text(key, { file: first.name, n: added.length }));
    this.#refresh();
  }

  /** Adds a file that an earlier page has stored. */
  restore({ name, size, token }: StoredFile): void {
    const file = new File([], name);
    Object.defineProperty(file, "size", { value: size });
    this.#put(file, token);
    this.#refresh();
  }

  #rejectionOf(file: File & { isFolder?: boolean }): string {
    const { files, types } = this.#limits;
    const max = Math.min(this.#limits.bytes ?? Infinity, Number(native(this.#form).dataset["maxBytes"] ?? Infinity));
    const say = (key: string, values: Words = {}): string => this.#text(key, { file: file.name, ...values });
    if (file.isFolder === true) return say("upload_folder");
    if (!this.accepts(file)) return say("upload_type", { types });
    if (file.size === 0) return say("upload_empty");
    if (file.size > max) return say("upload_large", { size: this.#size(file.size), max: this.#size(max) });
    if (this.items.some(({ file: { name, size } }) => name === file.name && size === file.size))
      return say("upload_twice");
    if (this.input.multiple && this.items.length >= files) return say("upload_many", { max: files });
    return "";
  }

  #put(file: File, token: string): void {
    const row = element("li", "cf-file");
    const [thumb, about, state] = [element("span", "cf-thumb"), element("span", ""), element("span", "cf-file-state")];
    const bar = element("progress", "");
    const [retry, removeButton] = [element("button", ""), element("button", "")];
    thumb.textContent = extensionOf(file).toUpperCase().slice(0, 4);
    thumb.ariaHidden = "true";
    bar.ariaLabel = file.name;
    about.append(element("span", "cf-file-name", file.name), state);
    const buttons = element("span", "cf-file-buttons");
    buttons.append(retry, removeButton);
    row.append(thumb, about, buttons, bar);
    const item: Item = {
      file,
      field: this.input.name,
      key: newKey(),
      state: token === "" ? "waiting" : "done",
      sent: 0,
      token,
      reason: "",
      tries: 0,
      stop: null,
      show: () => this.#show(item, state, bar, retry),
      row,
      removeButton,
    };
    this.#button(retry, "upload_again", `${this.#text("upload_again")}: ${file.name}`, () => {
      item.tries = 0;
      removeButton.focus();
      this.#transfers.add(item);
    });
    this.#button(removeButton, "upload_remove", this.#text("upload_remove_file", { file: file.name }), () => {
      const at = this.items.indexOf(item);
      const next = (this.items[at + 1] ?? this.items[at - 1])?.removeButton ?? this.input;
      this.#drop(item);
      this.#announce(this.#text("upload_removed", { file: file.name }));
      this.#tell([]);
      this.#refresh();
      next.focus();
    });
    this.items.push(item);
    this.#list.append(row);
    void preview(file, thumb);
    if (token === "") this.#transfers.add(item);
    else item.show();
  }

  #button(button: HTMLButtonElement, key: string, label: string, act: () => void): void {
    button.type = "button";
    button.textContent = this.#text(key);
    button.ariaLabel = label;
    button.addEventListener("click", act);
  }

  #drop(item: Item): void {
    this.items = this.items.filter((one) => one !== item);
    this.#transfers.remove(item);
    item.row.remove();
  }

  /** Updates the form after files were restored. */
  refreshForm(): void {
    this.#isRefreshing = true;
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
    this.#isRefreshing = false;
  }

  /** Empties the list. */
  clear(): void {
    for (const item of this.items) this.#drop(item);
    this.#tell([]);
    this.#refresh();
  }

  /* ---- Showing ---- */

  #show(item: Item, line: HTMLElement, bar: HTMLProgressElement, retry: HTMLButtonElement): void {
    const { state, file, reason, sent } = item;
    item.row.dataset["state"] = state;
    const values = { size: this.#size(file.size), percent: Math.floor(sent * 100) };
    line.textContent = state === "failed" && reason !== "" ? reason : this.#text(`upload_${state}`, values);
    bar.hidden = ["done", "later", "failed"].includes(state);
    bar.value = sent;
    retry.hidden = state !== "failed" || reason !== "";
    if (bar.hidden) this.#refresh();
    // A restored file was uploaded earlier, so its arrival is not announced.
    if (state === "done" && sent > 0) {
      this.#arrived.push(file.name);
      this.#announce();
    }
    if (state === "failed") this.#announce(`${file.name}: ${line.textContent}`);
  }

  /** Collects events within a short time into one announcement. */
  #announce(text?: string): void {
    if (text !== undefined) this.#announced.push(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const [file] = this.#arrived;
      const n = this.#arrived.length;
      const isAll = this.items.length > 1 && this.items.every(({ state }) => state === "done");
      const key = isAll ? "upload_all_done" : n === 1 ? "upload_one_done" : "upload_some_done";
      if (file !== undefined) this.#announced.push(this.#text(key, { file, n }));
      this.#status.textContent = this.#announced.join(" ");
      [this.#announced, this.#arrived] = [[], []];
    }, ANNOUNCE_MS);
  }

  /** Shows why files were not added. The field itself has no fault. */
  #tell(texts: readonly string[]): void {
    const isLong = texts.length > MAX_PROBLEMS;
    const shown = isLong ? texts.slice(0, MAX_PROBLEMS - 1) : texts;
    const rest = isLong ? [this.#text("upload_more", { n: texts.length - shown.length })] : [];
    this.#problems.replaceChildren(...[...shown, ...rest].map((text) => element("p", "cf-error", text)));
  }

  #refresh(): void {
    const { input, items } = this;
    const hasFiles = items.length > 0;
    this.#list.hidden = !hasFiles;
    this.zone.classList.toggle("cf-has-files", hasFiles);
    this.#pick.textContent = this.#text(
      input.multiple ? "upload_pick" : hasFiles ? "upload_pick_other" : "upload_pick_one",
    );
    const size = items.reduce((sum, { file }) => sum + file.size, 0);
    const sum = { n: items.length, max: this.#limits.files, size: this.#size(size) };
    this.#sum.textContent = input.multiple && hasFiles ? this.#text("upload_sum", sum) : "";
    // Conditions, the review and the browser itself read the input. Only files that are sent with the form keep their
    // bytes in it.
    const held = new DataTransfer();
    for (const { file, state } of items) held.items.add(state === "later" ? file : new File([], file.name));
    input.files = held.files;
    const hasFailed = items.some(({ state }) => state === "failed");
    const ask = input.matches(SIGNATURES) ? "signature_draw" : "upload_missing";
    const key = hasFailed ? "upload_unfinished" : this.#limits.required && !hasFiles ? ask : "";
    input.setCustomValidity(key === "" ? "" : this.#text(key));
    this.#changed();
    this.#isRefreshing = true;
    if (this.isReady) input.dispatchEvent(new Event("input", { bubbles: true }));
    this.#isRefreshing = false;
  }
}

/** Draws a preview into a canvas, because the page's policy may forbid blob addresses. */
async function preview(file: File, place: HTMLElement): Promise<void> {
  if (!file.type.startsWith("image/") || file.size > MAX_PREVIEW_BYTES) return;
  try {
    const picture = await createImageBitmap(file);
    const canvas = element("canvas", "");
    canvas.width = canvas.height = PREVIEW_PIXELS;
    const scale = PREVIEW_PIXELS / Math.min(picture.width, picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    canvas
      .getContext("2d")
      ?.drawImage(picture, (PREVIEW_PIXELS - width) / 2, (PREVIEW_PIXELS - height) / 2, width, height);
    picture.close();
    place.replaceChildren(canvas);
  } catch {
    // This browser cannot read the picture, so the file type's letters stay.
  }
}
