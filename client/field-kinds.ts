/** The field types and their variants, from the engine's tables. Made by scripts/client-operations.ts: do not edit. */
import type { FieldType } from "./operations.ts";

/** Group of the palette. */
export type PaletteGroup = "contact" | "text" | "choices" | "dates" | "files" | "layout";

/** HTML of a field. */
export type FieldControl = "parts" | "input" | "textarea" | "radios" | "boxes" | "select" | "box" | "slider" | "hidden" | "heading" | "paragraph" | "divider" | "fieldset" | "container" | "button";

/** Shape of an answer. */
export type AnswerShape = "parts" | "email" | "line" | "lines" | "number" | "url" | "choice" | "consent" | "points" | "date" | "time" | "date-time" | "files" | "color" | "secret" | "verbatim" | "none" | "button" | "phone" | "rows" | "month" | "week";

/** Meaning of a field's `options`. */
export type OptionsUse = "parts" | "suggestions" | "none" | "choices" | "points" | "buttons";

/** Quantity that `validation.min` and `validation.max` bound. */
export type FieldBounds = "none" | "length" | "number" | "count" | "bytes";

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
  "name": {"answer":"parts","bounds":"none","control":"parts","group":"contact","options":"parts","parts":["first","last"],"type":"name","typed":false},
  "email": {"answer":"email","bounds":"length","control":"input","group":"contact","options":"suggestions","parts":[],"type":"email","typed":true},
  "tel": {"answer":"line","bounds":"length","control":"input","group":"contact","options":"suggestions","parts":[],"type":"tel","typed":true},
  "address": {"answer":"parts","bounds":"none","control":"parts","group":"contact","options":"parts","parts":["street","street2","city","state","postal_code","country"],"type":"address","typed":false},
  "text": {"answer":"line","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"text","typed":true},
  "textarea": {"answer":"lines","bounds":"length","control":"textarea","group":"text","options":"none","parts":[],"type":"textarea","typed":true},
  "number": {"answer":"number","bounds":"number","control":"input","group":"text","options":"suggestions","parts":[],"type":"number","typed":true},
  "url": {"answer":"url","bounds":"length","control":"input","group":"text","options":"suggestions","parts":[],"type":"url","typed":true},
  "radio": {"answer":"choice","bounds":"count","control":"radios","group":"choices","options":"choices","parts":[],"type":"radio","typed":false},
  "checkbox": {"answer":"choice","bounds":"count","control":"boxes","group":"choices","options":"choices","parts":[],"type":"checkbox","typed":false},
  "select": {"answer":"choice","bounds":"count","control":"select","group":"choices","options":"choices","parts":[],"type":"select","typed":false},
  "consent": {"answer":"consent","bounds":"none","control":"box","group":"choices","options":"none","parts":["accepted"],"type":"consent","typed":false},
  "rating": {"answer":"points","bounds":"number","control":"radios","group":"choices","options":"points","parts":[],"type":"rating","typed":false},
  "range": {"answer":"number","bounds":"number","control":"slider","group":"choices","options":"suggestions","parts":[],"type":"range","typed":false},
  "date": {"answer":"date","bounds":"none","control":"input","group":"dates","options":"suggestions","parts":[],"type":"date","typed":false},
  "time": {"answer":"time","bounds":"none","control":"input","group":"dates","options":"suggestions","parts":[],"type":"time","typed":false},
  "datetime-local": {"answer":"date-time","bounds":"none","control":"input","group":"dates","options":"suggestions","parts":[],"type":"datetime-local","typed":false},
  "file": {"answer":"files","bounds":"bytes","control":"input","group":"files","options":"none","parts":[],"type":"file","typed":false},
  "color": {"answer":"color","bounds":"none","control":"input","group":"files","options":"suggestions","parts":[],"type":"color","typed":false},
  "password": {"answer":"secret","bounds":"length","control":"input","group":"files","options":"none","parts":[],"type":"password","typed":true},
  "hidden": {"answer":"verbatim","bounds":"none","control":"hidden","group":"files","options":"none","parts":[],"type":"hidden","typed":false},
  "heading": {"answer":"none","bounds":"none","control":"heading","group":"layout","options":"none","parts":[],"type":"heading","typed":false},
  "paragraph": {"answer":"none","bounds":"none","control":"paragraph","group":"layout","options":"none","parts":[],"type":"paragraph","typed":false},
  "divider": {"answer":"none","bounds":"none","control":"divider","group":"layout","options":"none","parts":[],"type":"divider","typed":false},
  "fieldset": {"answer":"none","bounds":"none","control":"fieldset","group":"layout","options":"none","parts":[],"type":"fieldset","typed":false},
  "container": {"answer":"none","bounds":"none","control":"container","group":"layout","options":"none","parts":[],"type":"container","typed":false},
  "submit": {"answer":"button","bounds":"none","control":"button","group":"layout","options":"buttons","parts":[],"type":"submit","typed":false},
};

export const FIELD_VARIANTS = [
  {"answer":"number","attribute":"data-calc","group":"text","name":"calculation","type":"number","value":""},
  {"answer":"date","attribute":"data-parts","group":"dates","name":"date-parts","type":"date","value":""},
  {"answer":"none","attribute":"class","group":"dates","name":"period","type":"fieldset","value":"cf-period"},
  {"answer":"files","attribute":"data-signature","group":"files","name":"signature","type":"file","value":""},
  {"answer":"phone","attribute":"data-phone","group":"contact","name":"phone","type":"tel","value":""},
  {"answer":"rows","attribute":"data-repeat","group":"layout","name":"repeat","type":"fieldset","value":""},
  {"answer":"line","attribute":"type","group":null,"name":"search","type":"text","value":"search"},
  {"answer":"month","attribute":"type","group":null,"name":"month","type":"text","value":"month"},
  {"answer":"week","attribute":"type","group":null,"name":"week","type":"text","value":"week"},
  {"answer":"points","attribute":"class","group":null,"name":"stars","type":"rating","value":"cf-stars"},
  {"answer":"points","attribute":"class","group":null,"name":"hearts","type":"rating","value":"cf-hearts"},
  {"answer":"points","attribute":"class","group":null,"name":"numbers","type":"rating","value":"cf-numbers"},
  {"answer":"points","attribute":"class","group":null,"name":"scale","type":"rating","value":"cf-scale"},
  {"answer":"points","attribute":"class","group":null,"name":"buttons","type":"rating","value":"cf-buttons"},
  {"answer":"points","attribute":"class","group":"choices","name":"nps","type":"rating","value":"cf-nps"},
  {"answer":"choice","attribute":"class","group":"choices","name":"likert","type":"radio","value":"cf-scale"},
  {"answer":"choice","attribute":"class","group":"choices","name":"yes-no","type":"radio","value":"cf-buttons"},
  {"answer":"choice","attribute":"class","group":"choices","name":"pictures","type":"radio","value":"cf-cards"},
  {"answer":"choice","attribute":"data-rank","group":"choices","name":"ranking","type":"checkbox","value":""},
  {"answer":"none","attribute":"class","group":"choices","name":"matrix","type":"fieldset","value":"cf-matrix"},
] as const satisfies readonly FieldVariant[];
