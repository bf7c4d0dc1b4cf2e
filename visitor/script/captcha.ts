/**
 * Captchas: each place that the page holds for one (src/front/checks/widget.rs) gets the widget of
 * its service. Turnstile, hCaptcha and reCAPTCHA have the same interface, and put what they find
 * out into the form, as an input that is sent with it.
 */
import { own, page } from "./own.ts";

/** A service's script, and the name that its interface has in the page. */
interface CaptchaService {
  readonly script: string;
  readonly global: string;
  /** The name of the input with what it found out. */
  readonly token: string;
}

interface CaptchaInterface {
  render(place: HTMLElement, options: { readonly sitekey: string }): string | number | undefined;
  reset(widget?: string | number): void;
  execute(siteKey: string, options: { readonly action: string }): PromiseLike<string>;
}

/** By type; put in from src/front/checks/verifiers.json. A page cannot name a script of its own. */
declare const CAPTCHA_SERVICES: Readonly<Record<string, CaptchaService>>;

interface Captcha {
  readonly service: CaptchaService;
  readonly siteKey: string;
  /** Asks nothing of the visitor: it judges at the moment of the submit. */
  readonly isSilent: boolean;
  readonly message: string;
  readonly place: HTMLElement;
  /** What holds the widget of a form in a shadow tree. */
  outside: HTMLElement | null;
  /** Resolves when the widget is there; null after a failure, for the next submit to try again. */
  ready: Promise<CaptchaInterface> | null;
  widget: string | number | undefined;
}

const captchas = new WeakMap<HTMLFormElement, Captcha[]>();
const loading = new Map<string, Promise<CaptchaInterface>>();

/** How many scripts and slots were asked for: each has a name of its own. */
let scripts = 0;

/** How long a submit waits for a service's script. */
const SCRIPT_MS = 10_000;

/** Shows the widgets of a form, above its button. */
export function showCaptchas(form: HTMLFormElement): void {
  const found: Captcha[] = [];
  // The page's own are the first; others are an author's, who may not have scripts loaded.
  const count = Number(own(form).dataset["captchas"] ?? 0);
  for (const place of [...own(form).querySelectorAll<HTMLElement>(":scope > .cf-captcha")].slice(0, count)) {
    const { captcha: type = "", sitekey: siteKey = "", version, message = "" } = place.dataset;
    const service = Object.hasOwn(CAPTCHA_SERVICES, type) ? CAPTCHA_SERVICES[type] : undefined;
    if (service === undefined || siteKey === "") continue;
    const isSilent = version === "3";
    const captcha: Captcha = { service, siteKey, isSilent, message, place, outside: null, ready: null, widget: undefined };
    found.push(captcha);
    const button = own(form).querySelector("button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]");
    (button?.closest(".cf-field") ?? button)?.before(place);
    captcha.ready = show(captcha);
    // The place says so, and a submit asks again.
    captcha.ready.catch(() => undefined);
  }
  captchas.set(form, found);
}

/** Puts the widget in its place, or there says that the check is missing. */
async function show(captcha: Captcha): Promise<CaptchaInterface> {
  const { service, siteKey, isSilent, message, place } = captcha;
  try {
    const api = await load(service, isSilent ? siteKey : "explicit");
    place.replaceChildren();
    if (!isSilent) captcha.widget = api.render(placeOf(captcha), { sitekey: siteKey });
    return api;
  } catch (error) {
    captcha.ready = null;
    const line = page.createElement("p");
    line.className = "cf-message cf-message-error";
    line.textContent = message;
    place.replaceChildren(line);
    throw error;
  }
}

/** Where the widget goes: services do not work in shadow trees, so that there it stands outside, in a slot. */
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

/** What to say instead of sending the form; null when every service has told what it found out. */
export async function captchaRefusal(form: HTMLFormElement): Promise<string | null> {
  for (const captcha of captchas.get(form) ?? []) {
    const { service, siteKey, isSilent, message } = captcha;
    try {
      captcha.ready ??= show(captcha);
      const api = await captcha.ready;
      if (isSilent) setToken(form, service.token, await api.execute(siteKey, { action: "submit" }));
      else if (captcha.outside !== null) setToken(form, service.token, captcha.outside.querySelector<HTMLInputElement>(`[name="${service.token}"]`)?.value ?? "");
    } catch {
      // Said once: where the visitor looks after a submit.
      captcha.place.replaceChildren();
      return message;
    }
    if (!new FormData(form).getAll(service.token).some((token) => token !== "")) return message;
  }
  return null;
}

/** Lets the services look again. */
export function resetCaptchas(form: HTMLFormElement): void {
  for (const { isSilent, ready, widget } of captchas.get(form) ?? []) {
    if (!isSilent && widget !== undefined) void ready?.then((api) => api.reset(widget));
  }
}

function setToken(form: HTMLFormElement, name: string, token: string): void {
  const known = own(form).querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const input = known ?? page.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = token;
  if (known === null) own(form).append(input);
}

/** Loads a service's script, once in a page unless it fails. `render` is a site key where nothing is shown. */
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
