/**
 * Analytics: tells the site that a form was seen, started, touched and left
 * (docs/analytics.md). Nothing is kept in the browser, and no answer of the visitor is told.
 *
 * Works on every form that form.ts announces by `cf-ready`.
 */
import { own, page } from "./own.ts";

interface ToldEvent {
  readonly event_type: "view" | "start" | "field_interaction" | "abandon";
  readonly event_id: string;
  readonly field_name?: string;
}

(() => {
  /** A view is half of the form, or of the window where the form is taller, for this long. */
  const SEEN_MS = 1_000;
  /** Events wait so long for others, to go out together. */
  const GATHERED_MS = 1_000;

  const random = (): string =>
    [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** Sends what waits, in a way that outlives the page. */
  class Messenger {
    readonly #address: string;
    readonly #formId: number;
    readonly #view = random();
    #count = 0;
    #waiting: ToldEvent[] = [];

    constructor(address: string, formId: number) {
      this.#address = address;
      this.#formId = formId;
    }

    tell(event_type: ToldEvent["event_type"], field_name: string | null = null): void {
      this.#count += 1;
      const event = { event_type, event_id: `${this.#view}-${this.#count}` };
      this.#waiting.push(field_name === null ? event : { ...event, field_name });
      if (this.#waiting.length === 1) setTimeout(() => this.send(), GATHERED_MS);
    }

    send(): void {
      if (this.#waiting.length === 0) return;
      const body = JSON.stringify({ form_id: this.#formId, events: this.#waiting });
      this.#waiting = [];
      if (navigator.sendBeacon?.(this.#address, body)) return;
      void fetch(this.#address, { method: "POST", body, keepalive: true }).catch(() => undefined);
    }
  }

  function whenSeen(form: HTMLFormElement, seen: () => void): void {
    if (!("IntersectionObserver" in window)) return seen();
    let timer: number | undefined;
    const look = ([entry]: IntersectionObserverEntry[]): void => {
      clearTimeout(timer);
      if (entry === undefined) return;
      const fillsHalfOfWindow = entry.intersectionRect.height >= window.innerHeight / 2;
      if (entry.intersectionRatio < 0.5 && !fillsHalfOfWindow) return;
      timer = window.setTimeout(() => {
        observer.disconnect();
        seen();
      }, SEEN_MS);
    };
    const observer = new IntersectionObserver(look, { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1] });
    observer.observe(form);
  }

  /** The name of the control that an event came from; null for what is none of the form's own. */
  function controlName(event: Event): string | null {
    const control = event.target;
    const isControl =
      control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement;
    return isControl && control.name !== "" && !control.name.startsWith("_") ? control.name : null;
  }

  function watch(form: HTMLFormElement): void {
    const formId = Number(own(form).dataset["id"]);
    if (own(form).dataset["preview"] !== undefined || !(formId > 0)) return;
    const action = new URL(own(form).getAttribute("action") ?? "", location.href);
    const messenger = new Messenger(new URL("-/events", action).href, formId);
    const seconds = own(form).querySelector<HTMLInputElement>("input[name=_cf_seconds]");
    const touched = new Set<string>();
    let startedAt: number | null = null;
    let lastField: string | null = null;
    let isSending = false;
    let hasLeft = false;

    whenSeen(form, () => messenger.tell("view"));

    own(form).addEventListener("input", (event) => {
      const name = controlName(event);
      if (name === null) return;
      if (startedAt === null) {
        startedAt = Date.now();
        messenger.tell("start");
      }
      lastField = name;
      const field = name.replace(/\[.*$/, "");
      if (touched.has(field)) return;
      touched.add(field);
      messenger.tell("field_interaction", name);
    });

    own(form).addEventListener("cf-submit", () => {
      isSending = true;
      if (seconds !== null && startedAt !== null) seconds.value = String(Math.round((Date.now() - startedAt) / 1_000));
    });
    own(form).addEventListener("cf-error", () => {
      isSending = false;
    });
    own(form).addEventListener("cf-success", () => {
      // What comes now is another submission in the same view.
      [isSending, hasLeft, startedAt, lastField] = [false, false, null, null];
      touched.clear();
    });

    function leave(): void {
      if (startedAt !== null && !isSending && !hasLeft) {
        hasLeft = true;
        messenger.tell("abandon", lastField);
      }
      messenger.send();
    }
    // Phones end pages without `pagehide`; to be hidden is the last that they surely tell.
    page.addEventListener("visibilitychange", () => {
      if (page.visibilityState === "hidden") leave();
    });
    window.addEventListener("pagehide", leave);
  }

  page.addEventListener("cf-ready", (event) => {
    // In a shadow tree the target is the element around it.
    const [form] = event.composedPath();
    if (form instanceof HTMLFormElement) watch(form);
  });
})();
