/**
 * The visitor's script. The form works without it; with it, conditional fields follow the
 * visitor's answers at once, a submit keeps the page, and forms can be embedded in other pages by
 * `<div data-cf-embed="https://example.org/forms/contact/embed"></div>`.
 *
 * Events on the form, as the reference has them: `cf-submit` (cancelable), `cf-submitted`,
 * `cf-success` and `cf-error`, each with the answer as `detail`.
 *
 * The server decides everything again (src/logic); this is for comfort only. Sent as it is:
 * no imports, no exports.
 */

interface Rule {
  readonly field?: string;
  readonly operator?: string;
  readonly value?: unknown;
  readonly any?: readonly Rule[];
  readonly all?: readonly Rule[];
  readonly action?: "show" | "hide";
}

interface Fault {
  readonly field: string;
  readonly message: string;
}

interface SubmitAnswer {
  readonly message?: { readonly type?: string; readonly text?: string };
  readonly hide_form?: boolean;
  readonly redirect_url?: string;
  readonly errors?: readonly Fault[];
}

(() => {
  const CONDITIONAL = "[data-show-if],[data-hide-if],[data-cf-conditions]";
  const enhanced = new WeakSet<HTMLFormElement>();

  /* ---- Conditions: the operators and the fixed point of src/logic/conditions.rs ---- */

  const number = (text: string): number => (text.trim() === "" ? NaN : Number(text));

  function compare(left: string, right: string): number {
    const [a, b] = [number(left), number(right)];
    return Number.isNaN(a) || Number.isNaN(b) ? NaN : a - b;
  }

  const same = (left: string, right: string): boolean => left === right || compare(left, right) === 0;

  function holds(rule: Rule, values: (field: string) => string[]): boolean {
    const shown = rule.action !== "hide";
    return evaluate(rule, values) === shown;
  }

  function evaluate(rule: Rule, values: (field: string) => string[]): boolean {
    if (rule.any) return rule.any.some((inner) => holds(inner, values));
    if (rule.all) return rule.all.every((inner) => holds(inner, values));
    const own = values(rule.field ?? "").filter((value) => value !== "");
    const wanted = (Array.isArray(rule.value) ? rule.value : [rule.value ?? ""]).map(String);
    const [first = ""] = wanted;
    const [only = ""] = own;
    const isList = own.length > 1;
    switch (rule.operator) {
      case "equals": return own.length === 0 ? first === "" : own.some((value) => same(value, first));
      case "not_equals": return own.length === 0 ? first !== "" : !own.some((value) => same(value, first));
      case "contains": return isList ? own.includes(first) : only.includes(first);
      case "not_contains": return isList ? !own.includes(first) : !only.includes(first);
      case "starts_with": return own.some((value) => value.startsWith(first));
      case "ends_with": return own.some((value) => value.endsWith(first));
      case "is_empty": return own.length === 0;
      case "is_not_empty": return own.length > 0;
      case "greater_than": return own.some((value) => compare(value, first) > 0);
      case "less_than": return own.some((value) => compare(value, first) < 0);
      case "greater_or_equal": return own.some((value) => compare(value, first) >= 0);
      case "less_or_equal": return own.some((value) => compare(value, first) <= 0);
      case "in": return own.some((value) => wanted.some((word) => same(value, word)));
      case "not_in": return !own.some((value) => wanted.some((word) => same(value, word)));
      case "before": return own.some((value) => Date.parse(value) < Date.parse(first));
      case "after": return own.some((value) => Date.parse(value) > Date.parse(first));
      case "checked": return own.length > 0;
      case "not_checked": return own.length === 0;
      case "matches": return matches(own, first);
      default: return true;
    }
  }

  function matches(values: readonly string[], pattern: string): boolean {
    try {
      const whole = new RegExp(`^(?:${pattern})$`, "u");
      return values.some((value) => whole.test(value));
    } catch {
      return true;
    }
  }

  /** `field=value`, `field:v1|v2`, `field=*`, `field`. */
  function published(text: string, action: "show" | "hide"): Rule {
    const at = text.search(/[:=]/);
    const field = (at < 0 ? text : text.slice(0, at)).trim().replace(/\[\]$/, "");
    const value = at < 0 ? "*" : text.slice(at + 1);
    if (value === "*") return { field, operator: "is_not_empty", action };
    if (value === "") return { field, operator: "is_empty", action };
    return { field, operator: "in", value: value.split("|"), action };
  }

  function rulesOf(element: Element): readonly Rule[] {
    const rules: Rule[] = [];
    const show = element.getAttribute("data-show-if");
    const hide = element.getAttribute("data-hide-if");
    const json = element.getAttribute("data-cf-conditions");
    if (show !== null) rules.push(published(show, "show"));
    if (hide !== null) rules.push(published(hide, "hide"));
    if (json !== null) {
      try {
        const parsed: unknown = JSON.parse(json);
        if (Array.isArray(parsed)) rules.push(...parsed);
      } catch {
        // The server has the conditions too.
      }
    }
    return rules;
  }

  /** Everything that a visitor can answer; radios and checkboxes count when they are checked. */
  function valuesOf(form: HTMLFormElement): (field: string) => string[] {
    const values = new Map<string, string[]>();
    for (const [name, value] of new FormData(form)) {
      const field = name.replace(/\[\]$/, "");
      const text = typeof value === "string" ? value : value.name;
      values.set(field, [...(values.get(field) ?? []), text]);
    }
    return (field) => values.get(field) ?? [];
  }

  /** A hidden element's controls are disabled: they read as empty, are not sent and not required. */
  function setShown(element: HTMLElement, shown: boolean): boolean {
    if (element.hidden === !shown) return false;
    element.hidden = !shown;
    const controls = "input,select,textarea,button";
    const own = element.matches(controls) ? [element] : [...element.querySelectorAll<HTMLElement>(controls)];
    for (const control of own) {
      if (!shown && !control.hasAttribute("disabled")) {
        control.setAttribute("disabled", "");
        control.setAttribute("data-cf-was-shown", "");
      } else if (shown && control.hasAttribute("data-cf-was-shown") && control.closest("[hidden]") === null) {
        control.removeAttribute("disabled");
        control.removeAttribute("data-cf-was-shown");
      }
    }
    return true;
  }

  function applyConditions(form: HTMLFormElement): void {
    const elements = [...form.querySelectorAll<HTMLElement>(CONDITIONAL)];
    // Each pass settles at least one element; a cycle ends with the passes.
    for (let pass = 0; pass <= elements.length; pass += 1) {
      const values = valuesOf(form);
      const changes = elements.filter((element) =>
        setShown(element, rulesOf(element).every((rule) => holds(rule, values))),
      );
      if (changes.length === 0) return;
    }
  }

  /* ---- Submitting without leaving the page ---- */

  function messages(form: HTMLFormElement): HTMLElement {
    const found = form.querySelector<HTMLElement>(".cf-messages");
    if (found !== null) return found;
    const region = document.createElement("div");
    region.className = "cf-messages";
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    form.prepend(region);
    return region;
  }

  function say(form: HTMLFormElement, type: string, text: string): void {
    const line = document.createElement("p");
    line.className = `cf-message cf-message-${type === "success" ? "success" : "error"}`;
    line.textContent = text;
    messages(form).replaceChildren(line);
  }

  function clearFaults(form: HTMLFormElement): void {
    for (const line of form.querySelectorAll(".cf-error")) line.remove();
    for (const control of form.querySelectorAll("[aria-invalid]")) {
      control.removeAttribute("aria-invalid");
      const ids = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => document.getElementById(id));
      if (ids.length > 0) control.setAttribute("aria-describedby", ids.join(" "));
      else control.removeAttribute("aria-describedby");
    }
  }

  function controlOf(form: HTMLFormElement, field: string): HTMLElement | null {
    const quoted = CSS.escape(field);
    return form.querySelector(`[name="${quoted}"],[name="${quoted}[]"],[name^="${quoted}["]`);
  }

  function showFaults(form: HTMLFormElement, faults: readonly Fault[]): void {
    for (const [index, fault] of faults.entries()) {
      const control = controlOf(form, fault.field);
      if (control === null) continue;
      const line = document.createElement("p");
      line.className = "cf-error";
      line.id = `cf-error-${form.dataset["id"] ?? "form"}-${index}`;
      line.textContent = fault.message;
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", `${control.getAttribute("aria-describedby") ?? ""} ${line.id}`.trim());
      (control.closest("fieldset,label") ?? control).after(line);
    }
    const first = faults.map((fault) => controlOf(form, fault.field)).find((control) => control !== null);
    first?.focus();
  }

  /** Only a web address, or a path of this site, is followed. */
  function isSafeAddress(address: string): boolean {
    try {
      return ["http:", "https:"].includes(new URL(address, location.href).protocol);
    } catch {
      return false;
    }
  }

  const emit = (form: HTMLFormElement, name: string, detail: unknown): boolean =>
    form.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    if (!emit(form, "cf-submit", null)) return;
    clearFaults(form);
    form.classList.add("cf-loading");
    form.setAttribute("aria-busy", "true");
    try {
      const files = form.enctype === "multipart/form-data";
      const data = new FormData(form, submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement ? submitter : null);
      const pairs = [...data].map(([name, value]): [string, string] => [name, typeof value === "string" ? value : value.name]);
      const response = await fetch(form.action, {
        method: "POST",
        headers: { accept: "application/json" },
        body: files ? data : new URLSearchParams(pairs),
      });
      const answer: SubmitAnswer = await response.json();
      emit(form, "cf-submitted", answer);
      if (response.ok) succeed(form, answer);
      else refuse(form, answer);
    } catch {
      say(form, "error", form.dataset["messageError"] ?? "Something went wrong. Please try again.");
      emit(form, "cf-error", null);
    } finally {
      form.classList.remove("cf-loading");
      form.removeAttribute("aria-busy");
    }
  }

  /** `crypto.randomUUID` is missing on pages without https. */
  const freshKey = (): string =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  function succeed(form: HTMLFormElement, answer: SubmitAnswer): void {
    emit(form, "cf-success", answer);
    if (answer.redirect_url !== undefined && isSafeAddress(answer.redirect_url)) {
      location.assign(answer.redirect_url);
      return;
    }
    const key = form.querySelector<HTMLInputElement>("input[name=_submission_key]");
    form.reset();
    // The next submit of this page is another submission.
    if (key !== null) key.value = freshKey();
    applyConditions(form);
    say(form, "success", answer.message?.text ?? "");
    if (answer.hide_form === true) {
      for (const child of form.children) if (!child.matches(".cf-messages") && child instanceof HTMLElement) child.hidden = true;
    }
  }

  function refuse(form: HTMLFormElement, answer: SubmitAnswer): void {
    emit(form, "cf-error", answer);
    say(form, "error", answer.message?.text ?? "");
    showFaults(form, answer.errors ?? []);
  }

  /* ---- Starting ---- */

  function enhance(form: HTMLFormElement): void {
    if (enhanced.has(form)) return;
    enhanced.add(form);
    const referrer = form.querySelector<HTMLInputElement>("input[name=_cf_referrer]");
    if (referrer !== null) referrer.value = document.referrer;
    applyConditions(form);
    form.addEventListener("input", () => applyConditions(form));
    form.addEventListener("change", () => applyConditions(form));
    form.addEventListener("reset", () => setTimeout(() => applyConditions(form)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!form.classList.contains("cf-loading")) void send(form, event.submitter);
    });
  }

  async function embed(place: HTMLElement): Promise<void> {
    const address = place.dataset["cfEmbed"];
    if (address === undefined || !isSafeAddress(address)) return;
    const response = await fetch(address);
    if (!response.ok) return;
    place.innerHTML = await response.text();
    for (const form of place.querySelectorAll<HTMLFormElement>("form.cf-form")) enhance(form);
  }

  function begin(): void {
    for (const form of document.querySelectorAll<HTMLFormElement>("form.cf-form")) enhance(form);
    for (const place of document.querySelectorAll<HTMLElement>("[data-cf-embed]")) void embed(place);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
