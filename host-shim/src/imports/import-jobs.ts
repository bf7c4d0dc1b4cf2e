/** The imports of large files: upload and description, start, progress, cancel. {@link ImportRunner} runs them. */

import { ApiError, type Client } from "../../../client/index.ts";
import type { FormImport } from "../../../client/operations.ts";
import { BodyFault, type IncomingBody } from "../incoming-body.ts";
import type { Host, Principal } from "../ports.ts";
import { MAX_BUFFERED_FILE_BYTES, storeFile } from "../store-file.ts";
import { type Described, ImportFile } from "./import-file.ts";
import { MAX_IMPORT_BYTES } from "./limits.ts";
import { ImportParts } from "./parts.ts";
import {
  type ImportData,
  type ImportRecord,
  ImportRecords,
  type Note,
  type RunStatement,
  type StartOptions,
} from "./records.ts";
import { ImportRunner } from "./runner.ts";

/** Parameter that the engine rejects when submissions do not name their form. */
const FORM_MISSING = "form_id";

/** An operation of the routes under `/imports`, as the engine requests it. */
export interface ImportRequest {
  readonly operation: "create" | "get" | "start" | "cancel";
  readonly arguments: StartOptions & { readonly id?: number; readonly format?: string };
  readonly principal: Principal;
}

/** Status and body of a response; null when the import does not exist. */
export type ImportReply = { readonly status: number; readonly body: unknown } | null;

/** The facts about a field that an upload's response shows. */
interface FieldFacts {
  readonly name: string;
  readonly type?: string | undefined;
  readonly label?: string | null | undefined;
}

/** The parts of a site that imports need. */
export interface ImportSite {
  readonly host: Host;
  readonly portTimeoutMs: number;
  readonly now: () => number;
  readonly runStatement: RunStatement;
  readonly clientOf: (principal: Principal) => Client;
  readonly fieldsOf: (markup: string) => readonly FieldFacts[];
}

/** A form as the upload's response describes it. */
interface DescribedForm {
  readonly index: number;
  readonly id: number | null;
  readonly title: string;
  readonly fields: readonly { readonly name: string; readonly type: string; readonly label: string }[];
  readonly losses: readonly Note[];
}

export class ImportJobs {
  readonly parts = new ImportParts();
  readonly runner: ImportRunner;
  readonly #site: ImportSite;
  readonly #records: ImportRecords;

  constructor(site: ImportSite) {
    this.#site = site;
    this.#records = new ImportRecords(site.runStatement);
    this.runner = new ImportRunner(site, this.#records, this.parts);
  }

  /** Performs an operation. Rejects with a {@link BodyFault} when the body cannot be read. */
  async perform(request: ImportRequest, body: IncomingBody): Promise<ImportReply> {
    try {
      return await this.#perform(request, body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, data } = error;
      return { status, body: { code, message, data } };
    }
  }

  async #perform(request: ImportRequest, body: IncomingBody): Promise<ImportReply> {
    if (request.operation === "create") return this.#create(request, body);
    const record = await this.#records.read(request.arguments.id ?? 0);
    if (record === null || record.state === "new") return null;
    if (request.operation === "start") return this.#start(record, request);
    if (request.operation === "cancel") return this.#cancel(record);
    return { status: 200, body: progressOf(record) };
  }

  async #create({ principal, arguments: { format } }: ImportRequest, body: IncomingBody): Promise<ImportReply> {
    const key = `imports/${crypto.randomUUID()}`;
    const unread: ImportData = {
      key,
      size: 0,
      ...(format === undefined ? {} : { stated: format }),
      format: format ?? "",
      encoding: "utf-8",
      month_first: [],
      principal,
      options: {},
      done: 0,
      total: 0,
      forms: [],
      submissions: 0,
      losses: [],
      attempts: 0,
    };
    // The record comes first, so that the purge finds the file of an upload that broke off.
    const id = await this.#records.add(unread, this.#site.now());
    try {
      const size = await this.#store(key, body);
      const [file, described] = await ImportFile.described(this.#files, key);
      const { encoding } = file;
      const read = { ...described, format: described.format || unread.format };
      const forms = await this.#forms(file, read, unread).finally(() => file.close());
      const needsForm = forms === null;
      const { format: found, submissions, month_first = [], losses, mapping } = read;
      const total = described.forms + submissions;
      const data = { ...unread, size, format: found, encoding, month_first, total };
      await this.#records.change(id, ["new"], "ready", data);
      const known = { id, format: found, size, forms: forms ?? [], submissions, losses };
      const reply = { ...known, needs_form: needsForm, ...(mapping === undefined ? {} : { mapping }) };
      return { status: 201, body: reply };
    } catch (error) {
      await this.#files.delete(key).then(
        () => this.#records.remove(id),
        // The purge deletes the file and its record.
        () => undefined,
      );
      throw error;
    }
  }

  get #files() {
    const { files } = this.#site.host;
    if (files === undefined) throw new Error("this host has no files");
    return files;
  }

  /** Stores the body, and returns its size. */
  async #store(key: string, body: IncomingBody): Promise<number> {
    let size = 0;
    const piece = async (): Promise<Uint8Array | null> => {
      const next = await body.next();
      size += next?.length ?? 0;
      return next;
    };
    const contentType = "application/octet-stream";
    const files = this.#files;
    const limit = files.putStream === undefined ? MAX_BUFFERED_FILE_BYTES : MAX_IMPORT_BYTES;
    const place = { files, key, contentType, limit, idleMs: this.#site.portTimeoutMs };
    if (!(await storeFile(place, piece, () => size))) throw new BodyFault("too_large");
    return size;
  }

  /**
   * Describes the forms as their import would create them; null when the caller must choose the form of the submissions
   * at the start.
   */
  async #forms(file: ImportFile, { mapping, forms: count }: Described, data: ImportData) {
    if (mapping !== undefined) return null;
    const client = this.#site.clientOf(data.principal);
    const unfiltered = (part: string): Promise<string> => Promise.resolve(part);
    const forms: DescribedForm[] = [];
    return this.parts.during(file, unfiltered, async (content) => {
      const body = { content, ...(data.stated === undefined ? {} : { format: data.stated as FormImport["format"] }) };
      try {
        for (let index = 0; index < Math.max(1, count); index += 1) {
          const { forms: made, report } = await client.importForms({ preview: true, body });
          const [form] = made;
          if (count > 0 && form !== undefined) {
            const { id, title } = form;
            forms.push({ index, id, title, fields: this.#fieldsOf(form), losses: report });
          }
        }
      } catch (error) {
        if (isFormMissing(error)) return null;
        throw error;
      }
      return forms;
    });
  }

  #fieldsOf({ schema, markup }: FormImport["forms"][number]): DescribedForm["fields"] {
    const fields: readonly FieldFacts[] = schema?.fields ?? this.#site.fieldsOf(markup ?? "");
    return fields.map(({ name, type = "text", label }) => ({ name, type, label: label ?? "" }));
  }

  async #start(record: ImportRecord, { arguments: sent, principal }: ImportRequest): Promise<ImportReply> {
    const { forms, form_id, mapping, time_zone, fetch_files = false, keep_scripts = false } = sent;
    const options: StartOptions = {
      ...(forms === undefined ? {} : { forms: forms.filter((index) => Number.isInteger(index)) }),
      ...(form_id === undefined ? {} : { form_id }),
      ...(mapping === undefined ? {} : { mapping }),
      ...(time_zone === undefined ? {} : { time_zone }),
      fetch_files,
      keep_scripts,
    };
    const data = { ...record.data, principal, options };
    const begun = { ...record, data };
    if (record.state === "ready") await this.runner.check(begun);
    if (!(await this.#records.change(record.id, ["ready"], "running", data))) return CONFLICT;
    return { status: 202, body: progressOf({ ...begun, state: "running" }) };
  }

  async #cancel(record: ImportRecord): Promise<ImportReply> {
    const states = ["ready", "running", "done", "failed"] as const;
    const isChanged = await this.#records.change(record.id, states, "cancelling", record.data);
    if (isChanged || record.state === "cancelling") await this.runner.undo(record.id);
    const after = await this.#records.read(record.id);
    return after === null ? null : { status: 200, body: progressOf(after) };
  }
}

const CONFLICT: ImportReply = {
  status: 409,
  body: { code: "rest_conflict", message: "This import was started before.", data: { status: 409 } },
};

function isFormMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { params } = error.data;
  return typeof params === "object" && params !== null && FORM_MISSING in params;
}

/** The response about the progress of an import. */
function progressOf({ id, state, data, createdAt }: ImportRecord): object {
  const { format, size, done, total, forms, submissions, losses, error } = data;
  const shown = state === "cancelling" ? "cancelled" : state;
  const failure = error === undefined ? {} : { error };
  const created_at = new Date(createdAt).toISOString();
  return { id, format, size, state: shown, done, total, forms, submissions, losses, ...failure, created_at };
}
