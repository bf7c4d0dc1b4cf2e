/** Causes of failed deliveries, by the messages of Node and nodemailer. */

/**
 * The setting to change: the `host` (unknown name), the `port` (no server listens), the kind of `security`, the
 * `certificate` (not trusted for this host) or the account (`sign_in`). `timeout` means that the server accepts connections
 * or drops packets, but does not reply.
 */
export type DeliveryProblem = "host" | "port" | "timeout" | "security" | "certificate" | "sign_in";

const PROBLEMS: readonly (readonly [pattern: RegExp, problem: DeliveryProblem])[] = [
  [/(?:self-signed|issuer|first) certificate|certificate (?:has|is|re|chain|sig)|Hostname\/IP/i, "certificate"],
  [/SSL routines|wrong version number|^Error initiating TLS|with STARTTLS/i, "security"],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, "port"],
  [/ENOTFOUND|EAI_AGAIN/, "host"],
  [
    /ETIMEDOUT|ECONNRESET|socket (?:close|hang up)|no response (?:with)?in \d|^(?:Connection )?timeout$|^Greeting never/i,
    "timeout",
  ],
  [/^Invalid login/, "sign_in"],
];

/** Replies of a server, and successes, which name recipients. */
const EXPLAINED = /^(?:The server responded|Accepted by|Kept in|“)/;

/** Returns the cause of a failed delivery; null for an unknown cause. */
export function deliveryProblem(message: string): DeliveryProblem | null {
  if (EXPLAINED.test(message)) return null;
  return PROBLEMS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
