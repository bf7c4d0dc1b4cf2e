/** Routes of the embedded host outside `cf/v1` (docs/embedded-host.md), with their response types. */
import { queryOptions } from "@tanstack/react-query";
import { jsonOf } from "../../../client/error.ts";
import type { CallOptions } from "../../../client/index.ts";
import type { Client } from "./client.ts";
import { keys } from "./keys.ts";

export interface ApplicationPassword {
  readonly uuid: string;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
  readonly last_ip: string | null;
}

/** Sessions and application passwords that a password change ended. */
export interface EndedAccess {
  readonly sessions_ended: number;
  readonly application_passwords_revoked: number;
}

/** A generated password, which is shown once. */
export interface NewPassword {
  readonly password: string;
}

export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly role: string;
  readonly created_at: string;
}

export interface StoredMail {
  readonly name: string;
  readonly subject: string;
  readonly to: readonly string[];
  readonly sent_at: string;
  readonly size: number;
}

export interface MailContent extends StoredMail {
  readonly from: string;
  readonly reply_to: readonly string[];
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly size: number }[];
}

export interface Health {
  readonly checks: readonly {
    readonly name: string;
    readonly status: "good" | "warning" | "bad";
    readonly message: string;
    readonly values?: Readonly<Record<string, string>>;
  }[];
  readonly settings: readonly { readonly name: string; readonly value: string; readonly is_default: boolean }[];
}

export const SECURITIES = ["none", "starttls", "tls"] as const;

/** The mail server of the host. Without a `host`, mails are stored in the outbox. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof SECURITIES)[number];
  readonly username: string;
  /** Masked in responses; sending the mask keeps the stored password. */
  readonly password: string;
  readonly from_name: string;
  readonly from_address: string;
  readonly public_url: string;
  /** Whether administrators get an email when an action fails three times in a row. */
  readonly failure_mails: boolean;
  /** Environment variables that override some of these settings. */
  readonly set_by: readonly string[];
}

/** The mail server's reply to a test mail. */
export interface MailTest {
  readonly accepted: boolean;
  readonly response: string;
  /** Known cause of an error, such as `sign_in`; empty for another cause. Absent on an older host. */
  readonly problem?: string;
}

/** The signed-in user as the host stores it. */
export interface Account {
  readonly email: string;
}

/** Sends a request to a route of the host and returns its JSON, whose shape docs/embedded-host.md describes. */
export async function sendToHost<Data>(
  client: Client,
  method: string,
  address: string,
  options: CallOptions & { readonly body?: unknown } = {},
): Promise<Data> {
  return (await jsonOf(await client.request(method, address, options))) as Data;
}

export const applicationPasswordsQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.applicationPasswords,
    queryFn: ({ signal }) => sendToHost<readonly ApplicationPassword[]>(client, "GET", address, { signal }),
  });

export const accountQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.account,
    queryFn: ({ signal }) => sendToHost<Account>(client, "GET", address, { signal }),
  });

export const usersQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.users,
    queryFn: ({ signal }) => sendToHost<readonly User[]>(client, "GET", address, { signal }),
  });

export const mailsQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.mails,
    queryFn: ({ signal }) =>
      sendToHost<{ readonly kept: boolean; readonly mails: readonly StoredMail[] }>(client, "GET", address, { signal }),
  });

export const mailQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.mail(address),
    queryFn: ({ signal }) => sendToHost<MailContent>(client, "GET", address, { signal }),
  });

export const healthQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.health,
    queryFn: ({ signal }) => sendToHost<Health>(client, "GET", address, { signal }),
  });

export const mailServerQuery = (client: Client, address: string) =>
  queryOptions({
    queryKey: keys.mailServer,
    queryFn: ({ signal }) => sendToHost<MailServer>(client, "GET", address, { signal }),
  });
