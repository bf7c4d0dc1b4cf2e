/** Short notices: what every screen may announce. The app provides them (ui/notices.tsx). */
import { createContext, useContext } from "react";

/** The notice of work that takes long. */
export interface Progress {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  update(text: string): void;
  end(): void;
}

export interface LaterWork {
  readonly text: string;
  /** Sends it; `isLeaving` when the page goes away meanwhile. */
  readonly run: (isLeaving: boolean) => Promise<unknown>;
  /** Takes back what the screen showed already. */
  readonly undo: () => void;
}

export interface Notices {
  show(text: string): void;
  fail(error: unknown): void;
  /** Says what was done, with a way back. */
  done(text: string, undo: () => void): void;
  /** Announces work with an undo, and does it in 10 s, or when the page is left. */
  later(work: LaterWork): void;
  /** Says how far work is, with a way to stop it. */
  progress(text: string): Progress;
}

export const NoticesContext = createContext<Notices>({
  show() {},
  fail() {},
  done() {},
  later() {},
  progress: () => ({ signal: new AbortController().signal, update() {}, end() {} }),
});

export const useNotices = (): Notices => useContext(NoticesContext);
