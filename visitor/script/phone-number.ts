/**
 * Telephone numbers as the server stores them (crates/model/src/logic/phone.rs). scripts/phone-table.ts describes the table.
 */

/** The maximum number of digits of a number with its calling code. */
const MAX_DIGITS = 15;

/** The zeros of the scripts in which visitors write numbers. */
const ZEROS = "٠۰०０";

/** A calling code with the facts about its numbers. */
type Calling = readonly [code: string, regions: readonly string[], trunk: string, lengths: number];

export const callings = (table: string): readonly Calling[] =>
  table.split("\n").flatMap((line) => {
    const [trunk = "", lengths = "", ...codes] = line.split(" ");
    return codes.map(
      (code): Calling => [
        `${parseInt(code, 10)}`,
        code.match(/[A-Z]{2}/g) ?? [],
        trunk.replace("-", ""),
        parseInt(lengths, 16),
      ],
    );
  });

/**
 * Returns the digits of a text in ASCII, after a plus sign if they begin with a calling code. Other characters remain,
 * so that the number counts as invalid.
 */
export function plainNumber(text: string): string {
  const ascii = text.replace(/[\s\p{Cf}]/gu, "").replace(/\D/g, (letter) => {
    const digits = [...ZEROS].map((zero) => letter.charCodeAt(0) - zero.charCodeAt(0));
    return `${digits.find((digit) => digit >= 0 && digit < 10) ?? letter}`;
  });
  const written = ascii
    .replace(/^(tel:)?\(*/i, "")
    .replace(/^(\+|＋|00)(.*)/, (_, __, rest: string) => `+${rest.replaceAll("(0)", "")}`);
  return written.replace(/[./()-]/g, "");
}

/** A number in E.164; undefined for an invalid number. `offered` are the field's countries, empty for all. */
export function storedPhone(
  all: readonly Calling[],
  text: string,
  country: string,
  offered: readonly string[],
): string | undefined {
  const plain = plainNumber(text);
  const found = all.find(([code, regions]) =>
    plain[0] === "+" ? plain.startsWith(code, 1) : regions.includes(country),
  );
  if (found === undefined || !/^\+?\d*$/.test(plain)) return undefined;
  const [code, regions, trunk, lengths] = found;
  const isPossible = (number: string): boolean =>
    (code + number).length <= MAX_DIGITS && ((lengths >> number.length) & 1) > 0;
  const without = (prefix: string): string | false => {
    const rest = plain.startsWith(prefix) && prefix !== "" && plain.slice(prefix.length);
    return rest !== false && isPossible(rest) && rest;
  };
  const number =
    plain[0] === "+"
      ? plain.slice(code.length + 1).replace(trunk === "0" ? /^0/ : "", "")
      : without(trunk) || ((trunk !== "" || !isPossible(plain)) && without(code)) || plain;
  const isOffered = offered.length === 0 || offered.some((region) => regions.includes(region));
  return isOffered && isPossible(number) ? `+${code}${number}` : undefined;
}
