/**
 * Shows a captcha in each placeholder of the page (src/spam/widget.rs). Turnstile, hCaptcha and reCAPTCHA have the same
 * interface: each adds an input with its token to the form.
 */
import { element, native, page, textOf } from "./dom.ts";
import { SUBMITS } from "./fields.ts";

/** A service's script, and the global name of its interface. */
interface CaptchaService {
  readonly script: string;
  readonly global: string;
  /** The name of the input that holds the token. */
  readonly token: string;
}

interface CaptchaInterface {
  render(place: HTMLElement, options: { readonly sitekey: string }): string | number | undefined;
  reset(widget?: string | number): void;
  execute(siteKey: string, options: { readonly action: string }): PromiseLike<string>;
}

/** Services by type, inserted by the build from src/spam/verifiers.json. A page cannot name another script. */
declare const CAPTCHA_SERVICES: Readonly<Record<string, CaptchaService>>;

interface Captcha {
  readonly service: CaptchaService;
  readonly siteKey: string;
  /** Whether the check runs at the submit, without action by the visitor. */
  readonly isSilent: boolean;
  readonly form: HTMLFormElement;
  readonly message: string;
  readonly place: HTMLElement;
  /** The element outside the shadow tree that holds the widget of an embedded form. */
  outside: HTMLElement | null;
  /** Resolves when the widget is loaded; null after a failure, so that the next submit retries. */
  ready: Promise<CaptchaInterface> | null;
  widget: string | number | undefined;
}

const captchas = new WeakMap<HTMLFormElement, Captcha[]>();
const loading = new Map<string, Promise<CaptchaInterface>>();

/** Counter that makes the names of scripts and slots unique. */
let scripts = 0;

/** Timeout of a service's script. */
const SCRIPT_MS = 10_000;

/** Shows the widgets of a form, above its button. */
export function showCaptchas(form: HTMLFormElement): void {
  const found: Captcha[] = [];
  // The engine's placeholders come first. Any further ones are an author's markup, which may not load scripts.
  const count = Number(native(form).dataset["captchas"] ?? 0);
  for (const place of [...native(form).querySelectorAll<HTMLElement>(":scope > .cf-captcha")].slice(0, count)) {
    const { captcha: type = "", sitekey: siteKey = "", version, message = "" } = place.dataset;
    const service = Object.hasOwn(CAPTCHA_SERVICES, type) ? CAPTCHA_SERVICES[type] : undefined;
    if (service === undefined || siteKey === "") continue;
    const isSilent = version === "3";
    const captcha: Captcha = {
      service,
      siteKey,
      isSilent,
      form,
      message,
      place,
      outside: null,
      ready: null,
      widget: undefined,
    };
    found.push(captcha);
    const button = native(form).querySelector(SUBMITS);
    (button?.closest(".cf-field") ?? button)?.before(place);
    captcha.ready = show(captcha);
    // The placeholder shows the failure, and a submit retries.
    captcha.ready.catch(() => undefined);
  }
  captchas.set(form, found);
}

/** Renders the widget. If its script fails to load, shows an error with a retry button instead. */
async function show(captcha: Captcha): Promise<CaptchaInterface> {
  const { service, siteKey, isSilent, form, place } = captcha;
  try {
    const api = await load(service, isSilent ? siteKey : "explicit");
    place.replaceChildren();
    if (!isSilent) captcha.widget = api.render(placeOf(captcha), { sitekey: siteKey });
    return api;
  } catch (error) {
    captcha.ready = null;
    const line = element("p", "cf-message cf-message-error", `${textOf(form, "captcha_unavailable")} `);
    const again = element("button", "cf-inline", textOf(form, "try_again"));
    again.type = "button";
    again.addEventListener("click", () => {
      place.replaceChildren();
      captcha.ready = show(captcha);
      captcha.ready.catch(() => undefined);
    });
    line.append(again);
    place.replaceChildren(line);
    throw error;
  }
}

/**
 * The element to render the widget in. Services do not work in shadow trees, so an embedded form shows the widget
 * through a slot.
 */
function placeOf(captcha: Captcha): HTMLElement {
  const { place } = captcha;
  const root = place.getRootNode();
  if (!(root instanceof ShadowRoot)) return place;
  const [slot, outside] = [page.createElement("slot"), page.createElement("div")];
  scripts += 1;
  slot.name = outside.slot = `cf-captcha-${scripts}`;
  place.append(slot);
  root.host.append(outside);
  captcha.outside?.remove();
  return (captcha.outside = outside);
}

/** The message to show instead of sending the form; null when every service has given its token. */
export async function captchaFault(form: HTMLFormElement): Promise<string | null> {
  for (const captcha of captchas.get(form) ?? []) {
    const { service, siteKey, isSilent, message } = captcha;
    try {
      captcha.ready ??= show(captcha);
      const api = await captcha.ready;
      if (isSilent) setToken(form, service.token, await api.execute(siteKey, { action: "submit" }));
      else if (captcha.outside !== null)
        setToken(
          form,
          service.token,
          captcha.outside.querySelector<HTMLInputElement>(`[name="${service.token}"]`)?.value ?? "",
        );
    } catch {
      // The caller shows this message above the submit button, and the next submit retries.
      captcha.place.replaceChildren();
      return textOf(form, "captcha_unavailable");
    }
    if (!new FormData(form).getAll(service.token).some((token) => token !== "")) return message;
  }
  return null;
}

/** Resets the widgets, because a token is valid once. */
export function resetCaptchas(form: HTMLFormElement): void {
  for (const { isSilent, ready, widget } of captchas.get(form) ?? []) {
    if (!isSilent && widget !== undefined) void ready?.then((api) => api.reset(widget));
  }
}

function setToken(form: HTMLFormElement, name: string, token: string): void {
  const known = native(form).querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const input = known ?? page.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = token;
  if (known === null) native(form).append(input);
}

/**
 * Loads a service's script once per page, and again after a failure. `render` is the site key for a silent check, else
 * `explicit`.
 */
function load({ script, global }: CaptchaService, render: string): Promise<CaptchaInterface> {
  const address = `${script}?render=${encodeURIComponent(render)}`;
  const known = loading.get(address);
  if (known !== undefined) return known;
  const loaded = new Promise<CaptchaInterface>((resolve, reject) => {
    scripts += 1;
    const callback = `cfCaptcha${scripts}`;
    Reflect.set(window, callback, () => resolve(Reflect.get(window, global)));
    const element = page.createElement("script");
    element.src = `${address}&onload=${callback}`;
    element.async = true;
    element.onerror = reject;
    setTimeout(reject, SCRIPT_MS);
    page.head.append(element);
  });
  loading.set(address, loaded);
  loaded.catch(() => loading.delete(address));
  return loaded;
}
