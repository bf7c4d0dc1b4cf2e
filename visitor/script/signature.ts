/**
 * Signature pads. control-aids.ts loads this file when a form has a signature. A visitor draws, or types a name that
 * the pad draws; the file input gets the picture as a PNG. On touch screens the pad opens in a dialog, so that
 * scrolling does not draw.
 */
import { element, native, rootOf, textOf } from "./dom.ts";
import { SIGNATURES } from "./fields.ts";

/** A point of a stroke, as a share of the pad's width. */
type Point = readonly [x: number, y: number];

/** The height of the pad as a share of its width. */
const RATIO = 0.4;
/** Width of the picture in pixels. */
const PIXELS = 900;
/** Pause after a stroke before the input gets the picture, in milliseconds. */
const PAUSE_MS = 1_500;
const INK = "#111";

const STYLE = `.cf-pad{display:grid;gap:.5rem}
.cf-pad canvas{inline-size:100%;aspect-ratio:${1 / RATIO};border:1.5px dashed var(--cf-line);border-radius:var(--cf-radius);background:#fff;cursor:crosshair;touch-action:pan-y}
.cf-pad dialog{inline-size:min(100vw,60rem);max-inline-size:100vw;margin:auto;padding:1rem;border:0;border-radius:var(--cf-radius);background:var(--cf-surface);color:inherit}
.cf-pad dialog::backdrop{background:rgb(0 0 0/.6)}
.cf-pad dialog canvas{touch-action:none;max-block-size:70dvb}
.cf-pad-buttons{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.cf-form .cf-pad-buttons .cf-inline.cf-inline{min-block-size:2.75rem}
.cf-pad:has([aria-invalid=true]) canvas{border-color:var(--cf-error)}
.cf-form .cf-pad .cf-drop{position:absolute;inline-size:1px;block-size:1px;min-block-size:0!important;padding:0;overflow:hidden;clip-path:inset(50%)}
.cf-limits:has(+.cf-pad),.cf-signed .cf-files{display:none!important}`;

const styled = new WeakSet<Document | ShadowRoot>();

function addStyle(root: Document | ShadowRoot): void {
  if (styled.has(root)) return;
  styled.add(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets.push(sheet);
}

class Pad {
  readonly #form: HTMLFormElement;
  readonly #input: HTMLInputElement;
  readonly #box = element("div", "cf-pad");
  readonly #canvas = element("canvas", "");
  readonly #name = element("input", "cf-control");
  #strokes: Point[][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(form: HTMLFormElement, input: HTMLInputElement) {
    this.#form = form;
    this.#input = input;
    const isTouch = matchMedia("(pointer: coarse)").matches;
    this.#canvas.width = PIXELS;
    this.#canvas.height = PIXELS * RATIO;
    this.#canvas.role = "img";
    this.#canvas.ariaLabel = textOf(form, "signature_draw");
    this.#name.type = "text";
    this.#name.hidden = true;
    this.#name.ariaLabel = textOf(form, "signature_name");
    this.#name.autocomplete = "name";
    this.#name.addEventListener("input", () => this.#changed());
    const type = this.#button("signature_type", () => {
      this.#strokes = [];
      this.#name.hidden = false;
      this.#name.focus();
      this.#changed();
    });
    const clear = this.#button("signature_clear", () => this.clear());
    const buttons = element("div", "cf-pad-buttons");
    buttons.append(clear, type);
    const place = (input.closest(".cf-drop") ?? input) as HTMLElement;
    place.before(this.#box);
    this.#box.append(this.#canvas, this.#name, buttons, place);
    if (isTouch) this.#openInDialog(buttons, clear);
    else this.#takeStrokes();
    // The input is invisible, so its focus moves to the pad.
    input.tabIndex = -1;
    input.addEventListener("focus", () => (this.#name.hidden ? type : this.#name).focus());
    native(form).addEventListener("reset", () => this.clear());
    // Any other action stores the picture in the input first, so that the form is checked with it.
    for (const event of ["pointerdown", "focusin", "keydown"])
      rootOf(form).addEventListener(event, ({ target }) => {
        if (target !== this.#canvas && this.#timer !== undefined) this.#hand();
      });
    this.#draw();
  }

  #button(key: string, act: () => void): HTMLButtonElement {
    const made = element("button", "cf-inline", textOf(this.#form, key));
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** Moves the pad into a dialog while the visitor signs. */
  #openInDialog(buttons: HTMLElement, clear: HTMLElement): void {
    const dialog = element("dialog", "");
    dialog.ariaLabel = textOf(this.#form, "signature_draw");
    const row = element("div", "cf-pad-buttons");
    row.append(this.#button("signature_done", () => dialog.close()));
    dialog.append(row);
    const open = (): void => {
      this.#name.hidden = true;
      row.prepend(clear);
      dialog.prepend(this.#canvas);
      dialog.showModal();
    };
    dialog.addEventListener("close", () => {
      sign.after(clear);
      this.#box.prepend(this.#canvas);
      if (this.#timer !== undefined) this.#hand();
    });
    const sign = this.#button("signature_open", open);
    buttons.prepend(sign);
    this.#canvas.addEventListener("click", () => {
      if (!dialog.open) open();
    });
    this.#box.append(dialog);
    this.#takeStrokes(dialog);
  }

  #takeStrokes(dialog?: HTMLDialogElement): void {
    const canvas = this.#canvas;
    let stroke: Point[] | undefined;
    const add = ({ offsetX, offsetY }: PointerEvent): void => {
      stroke?.push([offsetX / canvas.clientWidth, offsetY / canvas.clientWidth]);
      this.#draw();
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || dialog?.open === false) return;
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      this.#name.hidden = true;
      this.#name.value = "";
      this.#strokes.push((stroke = []));
      add(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (stroke !== undefined) for (const one of event.getCoalescedEvents?.() ?? [event]) add(one);
    });
    for (const end of ["pointerup", "pointercancel"] as const)
      canvas.addEventListener(end, () => {
        if (stroke !== undefined) this.#changed();
        stroke = undefined;
      });
  }

  get #isEmpty(): boolean {
    return this.#strokes.length === 0 && this.#name.value.trim() === "";
  }

  #draw(): void {
    const [width, height] = [PIXELS, PIXELS * RATIO];
    const pen = this.#canvas.getContext("2d");
    if (pen === null) return;
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = pen.strokeStyle = INK;
    pen.lineWidth = 5;
    pen.lineCap = pen.lineJoin = "round";
    for (const stroke of this.#strokes) {
      pen.beginPath();
      for (const [x, y] of stroke) pen.lineTo(x * PIXELS, y * PIXELS);
      const [[x, y] = [0, 0], second] = stroke;
      // A tap draws a dot.
      if (second === undefined) pen.lineTo(x * PIXELS + 0.1, y * PIXELS);
      pen.stroke();
    }
    pen.font = `italic ${height * 0.35}px "Segoe Script","Snell Roundhand","Bradley Hand",cursive`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(this.#name.value.trim(), width / 2, height / 2, width * 0.9);
  }

  #changed(): void {
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hand(), PAUSE_MS);
  }

  /** Stores the picture in the input. */
  #hand(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = new DataTransfer();
    if (!this.#isEmpty) {
      const [, base64 = ""] = this.#canvas.toDataURL("image/png").split(",");
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      held.items.add(new File([bytes], "signature.png", { type: "image/png" }));
    }
    this.#box.parentElement?.classList.toggle("cf-signed", !this.#isEmpty);
    this.#input.dispatchEvent(new Event("cf-clear"));
    this.#input.files = held.files;
    if (!this.#isEmpty) this.#input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  clear(): void {
    this.#strokes = [];
    this.#name.value = "";
    this.#draw();
    this.#hand();
  }
}

/** Puts a pad over each signature of a form. */
export function startSignatures(form: HTMLFormElement): void {
  addStyle(rootOf(form));
  for (const input of native(form).querySelectorAll<HTMLInputElement>(SIGNATURES)) new Pad(form, input);
}
