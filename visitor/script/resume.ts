/**
 * Saves a visitor's progress on the server, so that the form can be resumed here or on another device. form.ts loads
 * this file when the form saves progress. The token stays in this browser (`localStorage`); resuming shows the page
 * that the server fills in.
 */
import { element, native, page, textOf } from "./dom.ts";
import { clearNote, isSending, showNote } from "./sending.ts";
import { walkOf } from "./walks.ts";

interface Answer {
  readonly token?: string;
  readonly version?: number;
  readonly saved_at?: string;
  readonly resume_url?: string;
  readonly message?: { readonly text?: string };
}

/**
 * Pause after a change before a save, and the time between saves, in milliseconds. A change is stored within ten seconds,
 * of which one is for the request.
 */
const PAUSE_MS = 3_000;
const EVERY_MS = 9_000;

/** Minimum height of a button for touch. */
const TARGET = "2.75rem";

const TOKEN = "_cf_saved";
const VERSION = "_cf_saved_version";

const keyOf = (form: HTMLFormElement): string => `cf-saved:${native(form).action}`;

function stored(form: HTMLFormElement, item?: string | null): string | null {
  try {
    if (item === null) localStorage.removeItem(keyOf(form));
    else if (item !== undefined) localStorage.setItem(keyOf(form), item);
    return localStorage.getItem(keyOf(form));
  } catch {
    // `localStorage` may be blocked; then only the link resumes the form.
    return null;
  }
}

/** Reads, sets or removes a hidden input of the form. */
function hidden(form: HTMLFormElement, name: string, value?: string | null): string | undefined {
  let input = native(form).querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  if (value === null) input?.remove();
  else if (value !== undefined) {
    if (input === null) {
      input = element("input", "");
      input.type = "hidden";
      input.name = name;
      native(form).append(input);
    }
    input.value = value;
  }
  return input?.value;
}

const call = (form: HTMLFormElement, part: string, body: URLSearchParams, keepalive = false): Promise<Response> =>
  fetch(`${native(form).action}/saved${part}`, {
    method: "POST",
    headers: { accept: "application/json" },
    body,
    keepalive,
  });

/** Returns the current answers, without files, passwords and consents. */
function answersOf(form: HTMLFormElement): URLSearchParams {
  const skipped = new Set(
    [...native(form).querySelectorAll<HTMLInputElement>("[type=password],[data-cf-secret],[data-cf-type=consent]")].map(
      ({ name }) => name,
    ),
  );
  const pairs = [...new FormData(form)].filter(
    (pair): pair is [string, string] => typeof pair[1] === "string" && !skipped.has(pair[0]),
  );
  return new URLSearchParams([...pairs, ["_cf_step", String(walkOf(form)?.step ?? 0)]]);
}

/** Shows the page with the progress that a token saved. */
function goOn(form: HTMLFormElement, token: string): void {
  const leave = element("form", "");
  leave.method = "post";
  leave.action = `${native(form).action}/saved/read`;
  const input = element("input", "");
  input.type = "hidden";
  input.name = TOKEN;
  input.value = token;
  leave.append(input);
  page.body.append(leave);
  leave.submit();
}

class Saving {
  readonly #form: HTMLFormElement;
  readonly #panel = element("div", "cf-message cf-saved");
  #isOn: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  /** Time of the first change since the last save. */
  #changed: number | undefined;
  #work: Promise<void> | undefined;

  constructor(form: HTMLFormElement, button: HTMLElement) {
    this.#form = form;
    this.#isOn = native(form).dataset["save"] === "auto" || hidden(form, TOKEN) !== undefined;
    this.#panel.setAttribute("role", "status");
    this.#panel.hidden = true;
    button.closest("p")?.after(this.#panel);
    button.addEventListener("click", (event) => {
      event.preventDefault();
      this.#isOn = true;
      void this.#save(true);
    });
    let step = walkOf(form)?.step;
    native(form).addEventListener("click", () =>
      setTimeout(() => {
        if (step === (step = walkOf(form)?.step) || !this.#isOn) return;
        void this.#save(false);
      }),
    );
    for (const type of ["input", "change"]) native(form).addEventListener(type, () => this.#soon());
    page.addEventListener("visibilitychange", () => {
      if (page.visibilityState === "hidden" && this.#timer !== undefined) void this.#save(false, true);
    });
    native(form).addEventListener("cf-success", () => {
      clearTimeout(this.#timer);
      this.#isOn = native(form).dataset["save"] === "auto";
      for (const name of [TOKEN, VERSION]) hidden(form, name, null);
      stored(form, null);
      this.#panel.hidden = true;
    });
    const [token, at] = stored(form)?.split(" ") ?? [];
    if (token !== undefined && hidden(form, TOKEN) === undefined) this.#ask(token, at ?? "");
  }

  /** On the visitor's return, asks whether to resume. */
  #ask(token: string, at: string): void {
    const form = this.#form;
    const day = new Date(at).toLocaleDateString(page.documentElement.lang || undefined);
    this.#show(textOf(form, "saved_found").replace("{date}", day), [
      ["go_on", () => goOn(form, token)],
      ["start_again", () => this.#forget()],
      ["saved_delete", () => this.#forget(token)],
    ]);
    native(form).prepend(this.#panel);
  }

  #forget(token?: string): void {
    stored(this.#form, null);
    this.#panel.hidden = true;
    if (token !== undefined) void call(this.#form, "/forget", new URLSearchParams([[TOKEN, token]]));
  }

  #show(text: string, buttons: readonly (readonly [string, () => void])[]): void {
    this.#panel.replaceChildren(element("p", "", text));
    for (const [key, act] of buttons) {
      const button = element("button", "cf-inline", textOf(this.#form, key));
      button.type = "button";
      button.style.minBlockSize = TARGET;
      button.addEventListener("click", act);
      this.#panel.append(button, " ");
    }
    this.#panel.hidden = false;
  }

  #soon(): void {
    if (!this.#isOn) return;
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#changed ??= now;
    // A save does not wait for a pause longer than `EVERY_MS` after the first change.
    const due = Math.min(Math.max(now + PAUSE_MS, this.#last + EVERY_MS), this.#changed + EVERY_MS);
    this.#timer = setTimeout(() => void this.#save(false), due - now);
  }

  async #save(isRequested: boolean, keepalive = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#work;
    if (isSending(this.#form)) return;
    this.#last = Date.now();
    this.#changed = undefined;
    this.#work = this.#post(isRequested, keepalive).catch(() => {
      if (isRequested) showNote(this.#form, textOf(this.#form, "no_answer"), "alert");
    });
    await this.#work;
  }

  async #post(isRequested: boolean, keepalive: boolean): Promise<void> {
    const form = this.#form;
    const response = await call(form, "", answersOf(form), keepalive);
    const answer: Answer = await response.json();
    const token = answer.token ?? hidden(form, TOKEN) ?? "";
    if (response.ok) {
      hidden(form, TOKEN, token);
      hidden(form, VERSION, String(answer.version));
      stored(form, `${token} ${answer.saved_at ?? ""}`);
      clearNote(form);
      if (isRequested) {
        this.#showLink(answer);
        this.#panel.scrollIntoView({ block: "nearest" });
      } else showNote(form, textOf(form, "saved_done"));
    } else if (response.status === 409) {
      this.#show(answer.message?.text ?? "", [
        ["saved_load", () => goOn(form, token)],
        [
          "saved_keep",
          () => {
            hidden(form, VERSION, String(answer.version));
            void this.#save(true);
          },
        ],
      ]);
    } else if (response.status === 404 && hidden(form, TOKEN) !== undefined) {
      for (const name of [TOKEN, VERSION]) hidden(form, name, null);
      await this.#post(isRequested, keepalive);
    } else if (isRequested) showNote(form, answer.message?.text ?? "", "alert");
  }

  /** Shows the link, to be copied or mailed. */
  #showLink({ message, resume_url: address = "" }: Answer): void {
    const form = this.#form;
    this.#show(message?.text ?? "", [
      [
        "saved_copy",
        () => void navigator.clipboard.writeText(address).then(() => showNote(form, textOf(form, "saved_copied"))),
      ],
    ]);
    const link = element("input", "cf-control");
    link.readOnly = true;
    link.value = address;
    link.ariaLabel = textOf(form, "saved_title");
    this.#panel.firstElementChild?.after(link);
    if (native(form).dataset["saveMail"] === undefined) return;
    const email = element("input", "cf-control");
    // Not a control of the form, so it must not affect the form's validity.
    email.setAttribute("form", "");
    email.type = "email";
    email.autocomplete = "email";
    email.ariaLabel = email.placeholder = textOf(form, "saved_mail_address");
    const send = element("button", "cf-inline", textOf(form, "saved_mail"));
    send.type = "button";
    send.addEventListener("click", () => void this.#mail(email));
    send.style.minBlockSize = TARGET;
    this.#panel.append(email, send);
  }

  async #mail(email: HTMLInputElement): Promise<void> {
    const form = this.#form;
    if (email.value === "" || !email.reportValidity()) return email.focus();
    const body = new URLSearchParams([
      [TOKEN, hidden(form, TOKEN) ?? ""],
      ["email", email.value],
    ]);
    const response = await call(form, "/mail", body);
    const answer: Answer = await response.json();
    showNote(form, response.ok ? textOf(form, "saved_mail_sent") : (answer.message?.text ?? ""));
  }
}

export function startSaving(form: HTMLFormElement): void {
  const button = native(form).querySelector<HTMLElement>("button.cf-save");
  if (button !== null) new Saving(form, button);
}
