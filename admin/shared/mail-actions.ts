/** Types of actions that hand a mail to the mail server or to the outbox. */
export const MAIL_ACTIONS: ReadonlySet<string> = new Set(["email", "autoresponder"]);
