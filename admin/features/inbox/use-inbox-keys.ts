/** Keyboard shortcuts of the inbox. */
import { useEffect, useRef } from "react";
import { areSingleKeysOn } from "../../shared/single-keys.ts";
import { isTyping } from "../../shared/typing.ts";

export interface InboxCommands {
  /** Moves by a number of rows. `isExtending` selects the rows on the way. */
  move(by: number, isExtending: boolean): void;
  open(): void;
  close(): void;
  search(): void;
  selectAll(): void;
  /** Selects or deselects the current row. */
  toggle(): void;
  /** Selects the rows up to the current one. */
  extend(): void;
  reply(): void;
  archive(): void;
  moveToInbox(): void;
  star(): void;
  unread(): void;
  spam(): void;
  trash(): void;
}

type Command = (commands: InboxCommands) => void;

/** Single-character keys, which the user can turn off. */
const SINGLE_KEYS: Readonly<Record<string, Command>> = {
  j: (commands) => commands.move(1, false),
  k: (commands) => commands.move(-1, false),
  e: (commands) => commands.archive(),
  i: (commands) => commands.moveToInbox(),
  r: (commands) => commands.reply(),
  s: (commands) => commands.star(),
  u: (commands) => commands.unread(),
  "!": (commands) => commands.spam(),
  "#": (commands) => commands.trash(),
  x: (commands) => commands.toggle(),
  X: (commands) => commands.extend(),
  "/": (commands) => commands.search(),
};

/** Keys that work while the focus is in the list, or nowhere. */
const LIST_KEYS: Readonly<Record<string, Command>> = {
  ArrowDown: (commands) => commands.move(1, false),
  ArrowUp: (commands) => commands.move(-1, false),
  PageDown: (commands) => commands.move(10, false),
  PageUp: (commands) => commands.move(-10, false),
  Home: (commands) => commands.move(-Infinity, false),
  End: (commands) => commands.move(Infinity, false),
  Enter: (commands) => commands.open(),
  " ": (commands) => commands.toggle(),
};

const SHIFTED_KEYS: Readonly<Record<string, Command>> = {
  ArrowDown: (commands) => commands.move(1, true),
  ArrowUp: (commands) => commands.move(-1, true),
};

/** Keys that may repeat while they are held down; all others act once for each press. */
const REPEATED = /^(?:Arrow|Page|Home|End|[jk]$)/;

const elementsOf = (event: KeyboardEvent): readonly Element[] =>
  event.composedPath().filter((node) => node instanceof Element);

/** Whether an element handles its keys: dialogs, menus and notices. */
const handlesKeys = (element: Element): boolean =>
  /^(?:dialog|alertdialog|menu|listbox)$/.test(element.getAttribute("role") ?? "") || element.matches(".notices");

/** Returns the command of a key press; undefined if the key has none, or if the focused element handles it. */
function commandOf(event: KeyboardEvent): Command | undefined {
  const { key } = event;
  if (event.defaultPrevented || event.altKey || isTyping(event) || (event.repeat && !REPEATED.test(key)))
    return undefined;
  const path = elementsOf(event);
  if (path.some(handlesKeys)) return undefined;
  if (event.ctrlKey || event.metaKey)
    return key.toLowerCase() === "a" && !event.shiftKey ? (commands) => commands.selectAll() : undefined;
  const [target] = path;
  const isInList = path.some((element) => element.getAttribute("role") === "grid");
  // The list's section has the focus when its last row is gone.
  const isNowhere = target === document.body || target?.matches(".inbox-list") === true;
  const isOnControl = target?.matches("button, a, input, summary, [role=button]") ?? false;
  if (key === "Escape") return (commands) => commands.close();
  if (isInList || isNowhere) {
    const command = event.shiftKey ? SHIFTED_KEYS[key] : LIST_KEYS[key];
    const isPress = key === "Enter" || key === " ";
    if (command !== undefined && !(isPress && (isOnControl || !isInList))) return command;
  }
  return areSingleKeysOn() ? SINGLE_KEYS[key] : undefined;
}

/** Handles keyboard shortcuts anywhere on the screen, except in text fields and overlays. */
export function useInboxKeys(commands: InboxCommands): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (command === undefined) return;
      event.preventDefault();
      command(latest.current);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
