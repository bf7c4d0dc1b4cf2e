/** The field types and their variants, from the engine's tables. Made by scripts/client-operations.ts: do not edit. */
import type { FieldType } from "./operations.ts";

/** Group of the palette. */
export type PaletteGroup = "text" | "number" | "choice" | "date" | "other" | "layout";

/** HTML of a field. */
export type FieldControl = "input" | "textarea" | "select" | "radios" | "boxes" | "box" | "parts" | "slider" | "hidden" | "heading" | "paragraph" | "divider" | "fieldset" | "container" | "button";

/** Shape of an answer. */
export type AnswerShape = "line" | "lines" | "email" | "number" | "choice" | "consent" | "date" | "time" | "date-time" | "files" | "parts" | "points" | "url" | "secret" | "color" | "verbatim" | "none" | "button" | "month" | "week";

/** Meaning of a field's `options`. */
export type OptionsUse = "suggestions" | "none" | "choices" | "parts" | "points" | "buttons";

/** Quantity that `validation.min` and `validation.max` bound. */
export type FieldBounds = "length" | "number" | "count" | "none" | "bytes";

export interface FieldKind {
  readonly type: FieldType;
  readonly group: PaletteGroup;
  readonly control: FieldControl;
  readonly answer: AnswerShape;
  /** Parts of an answer that visitors fill in. */
  readonly parts: readonly string[];
  readonly options: OptionsUse;
  readonly bounds: FieldBounds;
  /** Whether visitors type the value, so that the control shows a placeholder. */
  readonly typed: boolean;
}

/** Fields of a type with a certain class or attribute. */
export interface FieldVariant {
  readonly name: string;
  readonly type: FieldType;
  /** Attribute that marks the fields: `class`, or one of `attributes`. */
  readonly attribute: string;
  /** Value of the attribute; empty for any. */
  readonly value: string;
  /** Null for a variant that the palette leaves out. */
  readonly group: PaletteGroup | null;
  readonly answer: AnswerShape;
}

/** In the order of the palette. */
export const FIELD_KINDS: Readonly<Record<FieldType, FieldKind>> = {
  "text": {"answer":"line","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"text","typed":true},
  "textarea": {"answer":"lines","bounds":"length","control":"textarea","group":"text","options":"none","parts":[],"type":"textarea","typed":true},
  "email": {"answer":"email","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"email","typed":true},
  "tel": {"answer":"line","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"tel","typed":true},
  "number": {"answer":"number","bounds":"number","control":"input","group":"number","options":"suggestions","parts":[],"type":"number","typed":true},
  "select": {"answer":"choice","bounds":"count","control":"select","group":"choice","options":"choices","parts":[],"type":"select","typed":false},
  "radio": {"answer":"choice","bounds":"count","control":"radios","group":"choice","options":"choices","parts":[],"type":"radio","typed":false},
  "checkbox": {"answer":"choice","bounds":"count","control":"boxes","group":"choice","options":"choices","parts":[],"type":"checkbox","typed":false},
  "consent": {"answer":"consent","bounds":"none","control":"box","group":"choice","options":"none","parts":["accepted"],"type":"consent","typed":false},
  "date": {"answer":"date","bounds":"none","control":"input","group":"date","options":"suggestions","parts":[],"type":"date","typed":false},
  "time": {"answer":"time","bounds":"none","control":"input","group":"date","options":"suggestions","parts":[],"type":"time","typed":false},
  "datetime-local": {"answer":"date-time","bounds":"none","control":"input","group":"date","options":"suggestions","parts":[],"type":"datetime-local","typed":false},
  "file": {"answer":"files","bounds":"bytes","control":"input","group":"other","options":"none","parts":[],"type":"file","typed":false},
  "name": {"answer":"parts","bounds":"none","control":"parts","group":"text","options":"parts","parts":["first","last"],"type":"name","typed":false},
  "address": {"answer":"parts","bounds":"none","control":"parts","group":"text","options":"parts","parts":["street","street2","city","state","postal_code","country"],"type":"address","typed":false},
  "rating": {"answer":"points","bounds":"number","control":"radios","group":"number","options":"points","parts":[],"type":"rating","typed":false},
  "range": {"answer":"number","bounds":"number","control":"slider","group":"number","options":"suggestions","parts":[],"type":"range","typed":false},
  "url": {"answer":"url","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"url","typed":true},
  "password": {"answer":"secret","bounds":"length","control":"input","group":"text","options":"none","parts":[],"type":"password","typed":true},
  "color": {"answer":"color","bounds":"none","control":"input","group":"other","options":"suggestions","parts":[],"type":"color","typed":false},
  "hidden": {"answer":"verbatim","bounds":"none","control":"hidden","group":"other","options":"none","parts":[],"type":"hidden","typed":false},
  "heading": {"answer":"none","bounds":"none","control":"heading","group":"layout","options":"none","parts":[],"type":"heading","typed":false},
  "paragraph": {"answer":"none","bounds":"none","control":"paragraph","group":"layout","options":"none","parts":[],"type":"paragraph","typed":false},
  "divider": {"answer":"none","bounds":"none","control":"divider","group":"layout","options":"none","parts":[],"type":"divider","typed":false},
  "fieldset": {"answer":"none","bounds":"none","control":"fieldset","group":"layout","options":"none","parts":[],"type":"fieldset","typed":false},
  "container": {"answer":"none","bounds":"none","control":"container","group":"layout","options":"none","parts":[],"type":"container","typed":false},
  "submit": {"answer":"button","bounds":"none","control":"button","group":"layout","options":"buttons","parts":[],"type":"submit","typed":false},
};

export const FIELD_VARIANTS = [
  {"answer":"line","attribute":"type","group":null,"name":"search","type":"text","value":"search"},
  {"answer":"month","attribute":"type","group":null,"name":"month","type":"text","value":"month"},
  {"answer":"week","attribute":"type","group":null,"name":"week","type":"text","value":"week"},
  {"answer":"points","attribute":"class","group":null,"name":"stars","type":"rating","value":"cf-stars"},
  {"answer":"points","attribute":"class","group":null,"name":"hearts","type":"rating","value":"cf-hearts"},
  {"answer":"points","attribute":"class","group":null,"name":"numbers","type":"rating","value":"cf-numbers"},
  {"answer":"points","attribute":"class","group":null,"name":"scale","type":"rating","value":"cf-scale"},
  {"answer":"points","attribute":"class","group":null,"name":"buttons","type":"rating","value":"cf-buttons"},
] as const satisfies readonly FieldVariant[];
