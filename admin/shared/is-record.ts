/** JSON objects, as they come from the API, the clipboard or a plugin. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object that is neither null nor an array. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
