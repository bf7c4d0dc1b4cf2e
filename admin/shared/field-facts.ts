/** The facts of field types, from the engine's table (client/field-kinds.ts). */
import { FIELD_KINDS, type FieldKind } from "../../client/field-kinds.ts";

const KINDS: ReadonlyMap<string, FieldKind> = new Map(Object.entries(FIELD_KINDS));

/** The facts of a type; undefined for a type that only a newer engine knows. */
export const factsOf = (type: string): FieldKind | undefined => KINDS.get(type);

/** Whether visitors choose from the options of a field. */
export const hasChoices = (type: string): boolean => factsOf(type)?.options === "choices";
