/** Verbs of the inbox, such as archive: each with its new status and its texts, declared once. */
import type { Submission } from "../../../client/index.ts";
import type { TextId } from "../../shared/text/text.tsx";
import type { IconName } from "../../ui/icons.tsx";

interface VerbDefinition {
  /** Status after the verb. */
  readonly status: string;
  readonly label: TextId;
  readonly icon: IconName;
  /** Text of the notice, with `count` and `status`. */
  readonly done: TextId;
  /** Statuses that the verb is offered for. */
  readonly isOffered: (status: string) => boolean;
}

const isAny =
  (...statuses: string[]) =>
  (status: string) =>
    statuses.includes(status);
const isNone =
  (...statuses: string[]) =>
  (status: string) =>
    !statuses.includes(status);

export const VERBS = {
  archive: {
    status: "archived",
    label: "inbox.archive",
    icon: "archive",
    done: "inbox.done",
    isOffered: isNone("archived", "spam", "trash"),
  },
  moveToInbox: {
    status: "read",
    label: "inbox.moveToInbox",
    icon: "inbox",
    done: "triage.moved",
    isOffered: isAny("archived"),
  },
  notSpam: { status: "read", label: "inbox.notSpam", icon: "check", done: "triage.notSpam", isOffered: isAny("spam") },
  restore: { status: "read", label: "trash.restore", icon: "undo", done: "triage.restored", isOffered: isAny("trash") },
  read: { status: "read", label: "inbox.markRead", icon: "check", done: "inbox.done", isOffered: isAny("new") },
  unread: {
    status: "new",
    label: "inbox.markNew",
    icon: "mail",
    done: "inbox.done",
    isOffered: isNone("new", "spam", "trash"),
  },
  replied: {
    status: "replied",
    label: "inbox.markReplied",
    icon: "reply",
    done: "inbox.done",
    isOffered: isNone("replied", "spam", "trash"),
  },
  spam: {
    status: "spam",
    label: "inbox.markSpam",
    icon: "ban",
    done: "inbox.done",
    isOffered: isNone("spam", "trash"),
  },
  trash: { status: "trash", label: "inbox.trash", icon: "trash", done: "inbox.done", isOffered: isNone("trash") },
} as const satisfies Readonly<Record<string, VerbDefinition>>;

export type Verb = keyof typeof VERBS;

/** Returns the status that a verb gives a submission. Spam that leaves the trash stays spam, so that its actions do not run. */
export function statusAfter(verb: Verb, { is_spam: isSpam }: Pick<Submission, "is_spam">): string {
  return verb === "restore" && isSpam ? "spam" : VERBS[verb].status;
}

/** Whether the verb changes any of the submissions. */
export const isOffered = (verb: Verb, rows: readonly Pick<Submission, "status">[]): boolean =>
  rows.some(({ status }) => VERBS[verb].isOffered(status));

/** The verb that moves a submission back to the inbox. */
export function verbToInbox(status: string): Verb {
  return status === "trash" ? "restore" : status === "spam" ? "notSpam" : "moveToInbox";
}
