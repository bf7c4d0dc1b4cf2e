/** Whether shortcuts of a single character work. People who dictate, or whose hand slips, turn them off (WCAG 2.1.4). */

const STORAGE_KEY = "cf-forms-single-keys";
const OFF = "off";

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true;
  }
}

export function storeSingleKeys(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    // `localStorage` may be blocked; then the shortcuts stay on.
  }
}
