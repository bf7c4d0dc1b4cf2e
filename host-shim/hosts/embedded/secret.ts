/** Random values, their hashes, and the host's signing key. */
import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../../src/ports.ts";
import { run } from "./schema.ts";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns random letters and digits; 24 of them have 142 bits. */
export function randomLettersAndDigits(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join("");
}

/** Returns an unguessable token of 256 bits, safe in cookies and addresses. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Hashes a random secret for storage with plain SHA-256. A slow, salted hash is needed only for passwords that people
 * choose. A random value of 142 bits or more cannot be found by brute force, and it is checked on every request.
 */
export function hashOfRandomSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares texts in a time that depends only on their lengths. */
export function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs with the host's key: 32 hex digits of HMAC-SHA-256. The purpose separates different uses. */
export type Sign = (purpose: string, ...parts: readonly (string | number)[]) => string;

/** Loads the host's signing key, which the first start creates. Every process gets the same key. */
export async function loadSigningKey(database: Database): Promise<Sign> {
  await run(
    database,
    "INSERT INTO cf_host_settings (name, value) VALUES ('signing_key', ?1) ON CONFLICT (name) DO NOTHING",
    randomBytes(32).toString("hex"),
  );
  const { rows } = await run(database, "SELECT value FROM cf_host_settings WHERE name = 'signing_key'");
  const key = Buffer.from(String(rows[0]?.[0]), "hex");
  if (key.length !== 32) throw new Error("the setting signing_key in cf_host_settings is damaged");
  // JSON separates the parts: ("a", "bc") and ("ab", "c") have different signatures.
  return (purpose, ...parts) =>
    createHmac("sha256", key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest("hex")
      .slice(0, 32);
}
