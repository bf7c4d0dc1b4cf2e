/** Random values, their hashes, and the host's signing key. */
import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../../src/ports.ts";
import { run } from "./schema.ts";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random letters and digits; 24 of them carry 142 bits. */
export function randomLettersAndDigits(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join("");
}

/** An unguessable token of 256 bits, safe in cookies and addresses. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * How a random secret is stored: SHA-256, plain. A slow, salted hash protects what people
 * choose; a value of 142 bits or more cannot be found by trying, however fast the hash is, and
 * it is checked on every request.
 */
export function hashOfRandomSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares in a time that depends only on the lengths. */
export function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs with the host's key: 32 hex digits of HMAC-SHA-256. The purpose keeps uses apart. */
export type Sign = (purpose: string, ...parts: readonly (string | number)[]) => string;

/** Loads the host's signing key, making it at the first start; every process gets the same one. */
export async function loadSigningKey(database: Database): Promise<Sign> {
  await run(
    database,
    "INSERT INTO cf_host_settings (name, value) VALUES ('signing_key', ?1) ON CONFLICT (name) DO NOTHING",
    randomBytes(32).toString("hex"),
  );
  const { rows } = await run(database, "SELECT value FROM cf_host_settings WHERE name = 'signing_key'");
  const key = Buffer.from(String(rows[0]?.[0]), "hex");
  if (key.length !== 32) throw new Error("the setting signing_key in cf_host_settings is damaged");
  // JSON keeps the parts apart: ("a", "bc") and ("ab", "c") sign differently.
  return (purpose, ...parts) =>
    createHmac("sha256", key).update(JSON.stringify([purpose, ...parts])).digest("hex").slice(0, 32);
}
