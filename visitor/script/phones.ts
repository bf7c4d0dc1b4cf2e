/**
 * Telephone numbers with a country: reports an invalid number at once, and selects the country of a calling code that
 * the visitor types. Conditions and texts read the number in its stored form.
 */
import { setFault } from "./choice-limits.ts";
import { native } from "./dom.ts";
import { fieldOf } from "./fields.ts";
import { callings, plainNumber, storedPhone } from "./phone-number.ts";

/** The table of calling codes, inserted by scripts/visitor-assets.mjs. */
declare const PHONE_TABLE: string;

function watch(form: HTMLFormElement, input: HTMLInputElement): void {
  const known = callings(PHONE_TABLE);
  const select = native(form).querySelector<HTMLSelectElement>(`select[name="${CSS.escape(input.name)}[country]"]`);
  const { phone = "", countries = "" } = input.dataset;
  const offered = countries.match(/\S+/g) ?? [];
  const stored = (text: string): string | undefined => storedPhone(known, text, select?.value || phone, offered);
  Object.assign(fieldOf(form, input) ?? {}, { stored });
  const check = (): void => {
    const isWrong = /\S/.test(input.value) && stored(input.value) === undefined;
    setFault(form, input, isWrong ? { key: "invalid_phone" } : undefined);
  };
  // Conditions and texts read the number again.
  const tell = (): void => void input.dispatchEvent(new Event("input", { bubbles: true }));
  input.addEventListener("input", check);
  input.addEventListener("change", () => {
    const plain = plainNumber(input.value);
    const [, regions = []] = known.find(([code]) => plain.startsWith(`+${code}`)) ?? [];
    const region = regions.find((one) => select?.querySelector(`[value=${one}]`));
    if (!select || !region || regions.includes(select.value)) return;
    select.value = region;
    select.dispatchEvent(new Event("change"));
  });
  select?.addEventListener("change", tell);
  native(form).addEventListener("reset", () => setTimeout(check));
  tell();
}

const watched = new WeakSet<Element>();

/** Starts to check the telephone numbers of a form, also in rows that are added later. */
export function startPhones(form: HTMLFormElement): void {
  const start = (): void => {
    for (const input of native(form).querySelectorAll<HTMLInputElement>("input[data-phone]")) {
      if (watched.has(input)) continue;
      watched.add(input);
      watch(form, input);
    }
  };
  native(form).addEventListener("cf-rows", start);
  start();
}
