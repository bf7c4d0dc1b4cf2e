/**
 * Analytics: reports to the site that a form was seen, started, touched and left (docs/analytics.md). The browser stores
 * nothing, and no answer of the visitor is reported.
 *
 * Watches every form for which form.ts emits `cf-ready`.
 */
import { native, page } from "./dom.ts";

interface VisitorEvent {
  readonly event_type: "view" | "start" | "field_interaction" | "abandon";
  readonly event_id: string;
  readonly field_name?: string;
}

(() => {
  /** A view counts when half of the form has been visible for this time, or half of the window for a taller form. */
  const VIEW_MS = 1_000;
  /** Delay in which events are collected into one request. */
  const BATCH_DELAY_MS = 1_000;

  const random = (): string =>
    [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** Collects events, and sends them by a beacon, so that they arrive even when the page ends. */
  class Reporter {
    readonly #address: string;
    readonly #formId: number;
    readonly #view = random();
    #count = 0;
    #queue: VisitorEvent[] = [];
    #hasSentStart = false;

    constructor(address: string, formId: number) {
      this.#address = address;
      this.#formId = formId;
    }

    add(event_type: VisitorEvent["event_type"], field_name: string | null = null): void {
      this.#count += 1;
      const event = { event_type, event_id: `${this.#view}-${this.#count}` };
      this.#queue.push(field_name === null ? event : { ...event, field_name });
      if (this.#queue.length === 1) setTimeout(() => this.send(), BATCH_DELAY_MS);
    }

    /** Returns whether the `start` event was sent. If not, the submit reports the start, and the event is dropped. */
    hasSentStart(): boolean {
      this.#queue = this.#queue.filter(({ event_type }) => event_type !== "start");
      return this.#hasSentStart;
    }

    /** Begins another submission in the same view. */
    restart(): void {
      this.#hasSentStart = false;
    }

    send(): void {
      if (this.#queue.length === 0) return;
      this.#hasSentStart ||= this.#queue.some(({ event_type }) => event_type === "start");
      const body = JSON.stringify({ form_id: this.#formId, events: this.#queue });
      this.#queue = [];
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
      }, VIEW_MS);
    };
    const observer = new IntersectionObserver(look, { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1] });
    observer.observe(form);
  }

  /** Name of the event's target control; null for controls that the engine added. */
  function controlName(event: Event): string | null {
    const control = event.target;
    const isControl =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement;
    return isControl && control.name !== "" && !control.name.startsWith("_") ? control.name : null;
  }

  function watch(form: HTMLFormElement): void {
    const formId = Number(native(form).dataset["id"]);
    if (native(form).dataset["preview"] !== undefined || !(formId > 0)) return;
    const action = new URL(native(form).getAttribute("action") ?? "", location.href);
    const reporter = new Reporter(new URL("-/events", action).href, formId);
    const seconds = native(form).querySelector<HTMLInputElement>("input[name=_cf_seconds]");
    const touched = new Set<string>();
    let startedAt: number | null = null;
    let lastField: string | null = null;
    let isSending = false;
    let hasLeft = false;

    whenSeen(form, () => reporter.add("view"));

    native(form).addEventListener("input", (event) => {
      const name = controlName(event);
      if (name === null) return;
      if (startedAt === null) {
        startedAt = Date.now();
        reporter.add("start");
      }
      lastField = name;
      const field = name.replace(/\[.*$/, "");
      if (touched.has(field)) return;
      touched.add(field);
      reporter.add("field_interaction", name);
    });

    native(form).addEventListener("cf-submit", () => {
      isSending = true;
      if (seconds === null || startedAt === null) return;
      const taken = Math.round((Date.now() - startedAt) / 1_000);
      seconds.value = `${taken};${reporter.hasSentStart() ? "sent" : "missed"}`;
    });
    native(form).addEventListener("cf-error", () => {
      isSending = false;
    });
    native(form).addEventListener("cf-success", () => {
      // Events from here on belong to another submission in the same view.
      [isSending, hasLeft, startedAt, lastField] = [false, false, null, null];
      touched.clear();
      reporter.restart();
    });

    function leave(): void {
      if (startedAt !== null && !isSending && !hasLeft) {
        hasLeft = true;
        reporter.add("abandon", lastField);
      }
      reporter.send();
    }
    // Mobile browsers may never fire `pagehide`; `visibilitychange` is the last reliable event.
    page.addEventListener("visibilitychange", () => {
      if (page.visibilityState === "hidden") leave();
    });
    window.addEventListener("pagehide", leave);
  }

  page.addEventListener("cf-ready", (event) => {
    // For a form in a shadow tree, `target` is the host element.
    const [form] = event.composedPath();
    if (form instanceof HTMLFormElement) watch(form);
  });
})();
