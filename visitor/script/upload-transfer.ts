/** Sends files to the server before the form: two at a time, with progress and retries. */
import { native } from "./dom.ts";

/** Pauses before the retries of a broken upload, in milliseconds. */
const RETRIES_MS = [1_000, 3_000];
const CONCURRENT = 2;
/** Time without progress after which a connection counts as broken, in milliseconds. */
const IDLE_MS = 30_000;

/** Status codes that mean that no file is accepted before the submit, so the file is sent with the form. */
const WITH_FORM = [404, 405, 429, 507];

export type State = "waiting" | "sending" | "retry" | "offline" | "done" | "later" | "failed";

/** A file that is being sent to the server. */
export interface Transfer {
  readonly file: File;
  /** Name of the file's input. */
  readonly field: string;
  /** Identifies a retry as the same upload. */
  readonly key: string;
  state: State;
  /** Sent part, from 0 to 1. */
  sent: number;
  token: string;
  /** The server's reason for rejecting the file; empty when a retry may help. */
  reason: string;
  tries: number;
  stop: (() => void) | null;
  /** Shows the state. */
  show: () => void;
}

interface UploadAnswer {
  readonly token?: string;
  readonly message?: { readonly text?: string };
  readonly errors?: readonly { readonly short?: string; readonly message?: string }[];
}

/** `crypto.randomUUID` is missing on pages without https. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Transfers {
  readonly #form: HTMLFormElement;
  #waiting: Transfer[] = [];
  #running = 0;
  /** Transfers that have not ended. */
  readonly #open = new Set<Transfer>();
  #settled: (() => void)[] = [];

  constructor(form: HTMLFormElement) {
    this.#form = form;
    window.addEventListener("online", () => {
      for (const transfer of this.#open) if (transfer.state === "offline") this.add(transfer);
    });
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  add(transfer: Transfer): void {
    this.#open.add(transfer);
    if (!navigator.onLine) return this.#set(transfer, "offline");
    this.#waiting.push(transfer);
    this.#set(transfer, "waiting");
    this.#next();
  }

  remove(transfer: Transfer): void {
    this.#waiting = this.#waiting.filter((one) => one !== transfer);
    transfer.stop?.();
    this.#close(transfer);
  }

  /** Resolves when no file is being sent. */
  settled(): Promise<void> {
    return new Promise((resolve) => (this.isBusy ? this.#settled.push(resolve) : resolve()));
  }

  /** Shows a state, unless the file has been removed. */
  #set(transfer: Transfer, state: State): void {
    if (!this.#open.has(transfer)) return;
    transfer.state = state;
    if (["done", "later", "failed"].includes(state)) this.#close(transfer);
    transfer.show();
  }

  #close(transfer: Transfer): void {
    this.#open.delete(transfer);
    if (this.isBusy) return;
    for (const resolve of this.#settled.splice(0)) resolve();
  }

  #next(): void {
    while (this.#running < CONCURRENT) {
      const transfer = this.#waiting.shift();
      if (transfer === undefined) return;
      this.#running += 1;
      this.#send(transfer, (state) => {
        this.#running -= 1;
        transfer.stop = null;
        this.#set(transfer, state);
        if (state === "retry") setTimeout(() => this.#open.has(transfer) && this.add(transfer), this.#pause(transfer));
        this.#next();
      });
    }
  }

  #pause(transfer: Transfer): number {
    return RETRIES_MS[transfer.tries++] ?? 0;
  }

  #send(transfer: Transfer, end: (state: State) => void): void {
    const body = new FormData();
    body.append("field", transfer.field);
    body.append("key", transfer.key);
    body.append("file", transfer.file, transfer.file.name);
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const moved = (sent: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), IDLE_MS);
      transfer.sent = sent;
      this.#set(transfer, "sending");
    };
    request.upload.addEventListener("progress", ({ loaded, total }) => moved(total > 0 ? loaded / total : 0));
    request.addEventListener("loadend", () => {
      clearTimeout(timer);
      end(this.#stateAfter(transfer, request));
    });
    request.open("POST", `${native(this.#form).action}/files`);
    request.setRequestHeader("accept", "application/json");
    transfer.stop = () => request.abort();
    request.send(body);
    moved(0);
  }

  #stateAfter(transfer: Transfer, { status, responseText }: XMLHttpRequest): State {
    if (status === 0 || status >= 500 || status === 408) {
      if (!navigator.onLine) return "offline";
      if (status === 507) return "later";
      return transfer.tries < RETRIES_MS.length ? "retry" : "failed";
    }
    let answer: UploadAnswer = {};
    try {
      answer = JSON.parse(responseText) as UploadAnswer;
    } catch {
      // The response is not JSON, so it comes from a proxy.
    }
    if (status === 201 && answer.token !== undefined) {
      transfer.token = answer.token;
      return "done";
    }
    if (WITH_FORM.includes(status)) return "later";
    const [fault] = answer.errors ?? [];
    transfer.reason = fault?.short ?? fault?.message ?? answer.message?.text ?? "";
    return "failed";
  }
}
