/** Short notices that every screen may show. The app provides them (ui/notices.tsx). */
import { createContext, useContext } from "react";

/** Notice of a long operation. */
export interface Progress {
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  update(text: string): void;
  end(): void;
}

/** A button of a notice. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Notices {
  /** Shows a text for 8 s, or with a button until it is used or dismissed. */
  show(text: string, action?: NoticeAction): void;
  showError(error: unknown): void;
  /** Shows a completed change, with a button that undoes it. */
  showUndoable(text: string, undo: () => void): void;
  /** Shows the progress of an operation, with a button that cancels it. */
  progress(text: string): Progress;
}

export const NoticesContext = createContext<Notices>({
  show() {},
  showError() {},
  showUndoable() {},
  progress: () => ({ signal: new AbortController().signal, update() {}, end() {} }),
});

export const useNotices = (): Notices => useContext(NoticesContext);
