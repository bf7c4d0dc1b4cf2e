/**
 * Makes `client/operations.ts`, the types and routes of the client, `client/settings.ts`, its table of settings, and
 * `client/field-kinds.ts`, its table of field types. The source is the engine's OpenAPI document: run
 * `node_modules/.bin/node scripts/client-operations.ts` after a build. A test fails when a file is outdated.
 */
import { writeFileSync } from "node:fs";
import { createForms } from "../host-shim/src/index.ts";

/** The parts of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly default?: unknown;
  readonly "x-cf-kind"?: string;
  readonly "x-cf-group"?: string;
  readonly "x-cf-shapes-pages"?: boolean;
  readonly "x-cf-since"?: string;
  readonly "x-cf-position"?: number;
  readonly "x-cf-kinds"?: readonly FieldKind[];
  readonly "x-cf-variants"?: readonly FieldVariant[];
}

/** The facts of a field type. */
export interface FieldKind {
  readonly type: string;
  readonly group: string;
  readonly control: string;
  readonly answer: string;
  readonly parts: readonly string[];
  readonly options: string;
  readonly bounds: string;
  readonly typed: boolean;
}

/** A variant of a field type. */
export interface FieldVariant {
  readonly name: string;
  readonly type: string;
  readonly attribute: string;
  readonly value: string;
  readonly group: string | null;
  readonly answer: string;
}

interface Parameter {
  readonly name?: string;
  readonly in?: "path" | "query";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const HEAD = `/** The routes, what they take and what they answer. Made by scripts/client-operations.ts: do not edit. */

/** A type whose named members are required. */
export type Having<Type, Name extends keyof Type> = Type & { readonly [Member in Name]-?: Type[Member] };
`;

/** Reads the document from an engine without a database, because only the route table is needed. */
export async function readApiDocument(): Promise<ApiDocument> {
  const forms = await createForms({
    baseUrl: "http://localhost",
    host: {
      database: { dialect: "sqlite", batch: async () => [] },
      authenticate: async () => ({ principal: { id: "1", login: "client", capabilities: ["edit_forms"] } }),
    },
  });
  const response = await forms.fetch(new Request("http://localhost/api/cf/v1/openapi.json"));
  await forms.close();
  return (await response?.json()) as ApiDocument;
}

/** Returns the text of `operations.ts`. */
export function operationsSource({ paths, components }: ApiDocument): string {
  const users = schemaUsers({ paths, components });
  const types = Object.entries(components.schemas).map(([name, schema]) =>
    declaration(name, { description: usageOf(users.get(name)), ...schema }),
  );
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const inputs = routes.map(({ operation }) => operationType(operation));
  const table = routes.map(({ path, method, operation }) => {
    const query = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    const route = { method, path, query, answer: jsonOf(operation) === null ? "response" : "json" };
    return `  ${operation.operationId}: ${JSON.stringify(route)},\n`;
  });
  return [
    HEAD,
    ...types,
    `/** Input and output of each operation, by its name. */\nexport interface Operations {\n${inputs.join("")}}\n`,
    `/** Route of each operation. */\nexport const OPERATIONS = {\n${table.join("")}} as const;\n`,
  ].join("\n");
}

/** The operations and schemas that use a schema, by name. */
interface SchemaUsers {
  readonly answers: string[];
  readonly failures: string[];
  readonly bodies: string[];
  readonly schemas: string[];
}

const unusedSchema = (): SchemaUsers => ({ answers: [], failures: [], bodies: [], schemas: [] });

/** Finds where the document uses each schema. */
function schemaUsers({ paths, components }: ApiDocument): ReadonlyMap<string, SchemaUsers> {
  const users = new Map<string, SchemaUsers>();
  const add = (kind: keyof SchemaUsers, user: string, part: unknown): void => {
    for (const name of referencesIn(part)) {
      const known = users.get(name) ?? unusedSchema();
      users.set(name, known);
      if (name !== user && !known[kind].includes(user)) known[kind].push(user);
    }
  };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      add(status.startsWith("2") ? "answers" : "failures", operation.operationId, response);
    }
    add("bodies", operation.operationId, [operation.parameters, operation.requestBody]);
  }
  for (const [user, schema] of Object.entries(components.schemas)) add("schemas", user, schema);
  return users;
}

/** Returns the names of the schemas to which a part of the document refers. */
function referencesIn(part: unknown): readonly string[] {
  return Array.from(JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name);
}

/** Limit for the users that a comment names. */
const MAX_NAMED_USERS = 3;

/** Describes a schema without a description by the operations, else by the schemas, that use it. */
function usageOf({ answers, failures, bodies, schemas }: SchemaUsers = unusedSchema()): string {
  const listed = (names: readonly string[]): string =>
    [...names.slice(0, MAX_NAMED_USERS), ...(names.length > MAX_NAMED_USERS ? ["others"] : [])]
      .join(", ")
      .replace(/, (?=[^,]*$)/, " and ");
  if (answers.length > 0) return `Answer of ${listed(answers)}.`;
  if (failures.length > 0) return `Error answer of ${listed(failures)}.`;
  if (bodies.length > 0) return `Input of ${listed(bodies)}.`;
  if (schemas.length > 0) return `Part of ${listed(schemas)}.`;
  return "A type of the API.";
}

/** Returns the schemas of the settings of forms, by key, in the order of the admin's settings screen. */
export function settingSchemas({ components }: ApiDocument): readonly (readonly [string, Schema])[] {
  const settings = Object.entries(components.schemas["FormSettingsMembers"]?.properties ?? {});
  const position = (schema: Schema): number => schema["x-cf-position"] ?? 0;
  return settings.sort(([, one], [, other]) => position(one) - position(other));
}

/** Returns the text of `settings.ts`. */
export function settingsSource(document: ApiDocument): string {
  const settings = settingSchemas(document);
  const facts = settings.map(([key, schema]) => ({
    key,
    kind: schema["x-cf-kind"],
    group: schema["x-cf-group"],
    shapesPages: schema["x-cf-shapes-pages"],
    since: schema["x-cf-since"],
    choices: schema.enum ?? [],
  }));
  return `/** The settings of forms, from the engine's table. Made by scripts/client-operations.ts: do not edit. */

/** Key of a setting. */
export type SettingKey = ${union(facts.map(({ key }) => key))};

/** Kind of a setting's value. */
export type SettingKind = ${union(facts.map(({ kind }) => kind))};

/** Section of the admin's settings screen. */
export type SettingGroup = ${union(facts.map(({ group }) => group))};

/** Facts about a setting. */
export interface SettingFacts {
  readonly key: SettingKey;
  readonly kind: SettingKind;
  readonly group: SettingGroup;
  /** Whether visitors' pages look different with another value. */
  readonly shapesPages: boolean;
  /** First version that has the setting. */
  readonly since: string;
  /** The allowed values; empty for any of the kind. */
  readonly choices: readonly string[];
}

/** The settings, in the order of the admin's settings screen. */
export const SETTINGS: readonly SettingFacts[] = [
${facts
  .map(
    (setting) => `  ${JSON.stringify(setting)},
`,
  )
  .join("")}];
`;
}

/** Returns the field types in the order of the palette, and their variants. */
export function fieldKinds({ components }: ApiDocument): {
  readonly kinds: readonly FieldKind[];
  readonly variants: readonly FieldVariant[];
} {
  const schema = components.schemas["FieldType"];
  return { kinds: schema?.["x-cf-kinds"] ?? [], variants: schema?.["x-cf-variants"] ?? [] };
}

/** Returns the text of `field-kinds.ts`. */
export function fieldKindsSource(document: ApiDocument): string {
  const { kinds, variants } = fieldKinds(document);
  const words = (of: (kind: FieldKind) => string) => union(kinds.map(of));
  return `/** The field types and their variants, from the engine's tables. Made by scripts/client-operations.ts: do not edit. */
import type { FieldType } from "./operations.ts";

/** Group of the palette. */
export type PaletteGroup = ${words(({ group }) => group)};

/** HTML of a field. */
export type FieldControl = ${words(({ control }) => control)};

/** Shape of an answer. */
export type AnswerShape = ${union([...kinds, ...variants].map(({ answer }) => answer))};

/** Meaning of a field's \`options\`. */
export type OptionsUse = ${words(({ options }) => options)};

/** Quantity that \`validation.min\` and \`validation.max\` bound. */
export type FieldBounds = ${words(({ bounds }) => bounds)};

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
  /** Attribute that marks the fields: \`class\`, or one of \`attributes\`. */
  readonly attribute: string;
  /** Value of the attribute; empty for any. */
  readonly value: string;
  /** Null for a variant that the palette leaves out. */
  readonly group: PaletteGroup | null;
  readonly answer: AnswerShape;
}

/** In the order of the palette. */
export const FIELD_KINDS: Readonly<Record<FieldType, FieldKind>> = {
${kinds.map((kind) => `  ${JSON.stringify(kind.type)}: ${JSON.stringify(kind)},\n`).join("")}};

export const FIELD_VARIANTS = [
${variants.map((variant) => `  ${JSON.stringify(variant)},\n`).join("")}] as const satisfies readonly FieldVariant[];
`;
}

function union(values: readonly unknown[]): string {
  return [...new Set(values)].map((value) => JSON.stringify(value)).join(" | ");
}

function operationType(operation: Operation): string {
  const members = operation.parameters
    .filter(({ name }) => name !== undefined)
    .map(({ name = "", required = false, description, schema = {} }) =>
      member(name, required, { ...schema, ...(description === undefined ? {} : { description }) }),
    );
  const { requestBody } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  if (body !== undefined) members.push(member("body", requestBody?.required ?? false, body));
  if (requestBody?.content["multipart/form-data"] !== undefined) members.push("readonly body: FormData;\n");
  const json = jsonOf(operation);
  const input = members.length === 0 ? "{}" : `{\n${indented(members.join(""))}}`;
  const output = json === null ? "Response" : typeOf(json);
  return `  /** ${operation.summary} */\n  readonly ${operation.operationId}: {\n${indented(indented(`readonly input: ${input};\nreadonly output: ${output};\n`))}  };\n`;
}

/** Returns the schema of a successful response that is always JSON; null for a download. */
function jsonOf({ responses }: Operation): Schema | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const content = success?.[1].content ?? {};
  return Object.keys(content).length === 1 ? (content["application/json"]?.schema ?? null) : null;
}

function declaration(name: string, schema: Schema): string {
  const type = typeOf(schema);
  const comment = schema.description === undefined ? "" : `/** ${schema.description} */\n`;
  const isObject = type.startsWith("{\n") && schema.oneOf === undefined;
  return isObject ? `${comment}export interface ${name} ${type}\n` : `${comment}export type ${name} = ${type};\n`;
}

/** Converts a schema to a TypeScript type. */
function typeOf(schema: Schema): string {
  const { required = [] } = schema;
  if (schema.$ref !== undefined) return having(schema.$ref.split("/").at(-1) ?? "", required);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(typeOf).join(" | ");
  const parts = schema.allOf?.filter((part) => part.if === undefined) ?? [];
  if (parts.length > 0) return having(parts.map(typeOf).join(" & "), required);
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${elementType(schema.items ?? {})}[]`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function elementType(items: Schema): string {
  const type = typeOf(items);
  return / [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

function having(type: string, names: readonly string[]): string {
  return names.length === 0 ? type : `Having<${type}, ${names.map((name) => JSON.stringify(name)).join(" | ")}>`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  const members = Object.entries(properties).map(([name, schema]) => member(name, required.includes(name), schema));
  const unnamed = required.filter((name) => properties[name] === undefined);
  members.push(...unnamed.map((name) => member(name, true, others)));
  const isOpen = additionalProperties !== undefined || members.length === 0;
  if (isOpen) members.push(`readonly [name: string]: ${typeOf(others)};\n`);
  return `{\n${indented(members.join(""))}}`;
}

function member(name: string, isRequired: boolean, schema: Schema): string {
  const comment = schema.description === undefined ? "" : `/** ${schema.description} */\n`;
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${comment}readonly ${key}${isRequired ? "" : "?"}: ${typeOf(schema)};\n`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

if (import.meta.main) {
  const document = await readApiDocument();
  writeFileSync(new URL("../client/operations.ts", import.meta.url), operationsSource(document));
  writeFileSync(new URL("../client/settings.ts", import.meta.url), settingsSource(document));
  writeFileSync(new URL("../client/field-kinds.ts", import.meta.url), fieldKindsSource(document));
}
