/** Classifies why a mail server did not accept a mail, so that the admin can say what to change. */

import { type DeliveryProblem, deliveryProblem } from "../../../client/delivery-problem.ts";

/** A known cause, or the `sender` or the `recipient`, which the server rejected. Empty for other errors. */
export type MailProblem = DeliveryProblem | "sender" | "recipient" | "";

/** Codes of nodemailer's errors that have one cause. */
const PROBLEMS: Readonly<Record<string, MailProblem>> = {
  EDNS: "host",
  ETLS: "security",
  EAUTH: "sign_in",
  ETIMEDOUT: "timeout",
};

/** Returns the problem behind an error of nodemailer. */
export function mailProblem(error: unknown): MailProblem {
  if (!(error instanceof Error)) return "";
  const { code = "", responseCode = 0, command = "" } = error as Error & Partial<SmtpError>;
  // 530 also means that the server requires a sign-in first; 538 always refers to encryption.
  if (responseCode === 538 || (responseCode === 530 && /STARTTLS/i.test(error.message))) return "security";
  if (responseCode === 530) return "sign_in";
  if (code === "EENVELOPE") return command === "RCPT TO" ? "recipient" : "sender";
  return PROBLEMS[code] ?? deliveryProblem(error.message) ?? "";
}

interface SmtpError {
  readonly code: string;
  readonly responseCode: number;
  readonly command: string;
}
