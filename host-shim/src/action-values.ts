/** The values that callbacks of actions and hooks get. */

/** A submission as the REST API shows it; `data` maps field names to answers. */
export interface ActionSubmission {
  readonly id: number;
  readonly form_id: number;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly ActionFile[];
  readonly submitted_at: string;
  readonly [member: string]: unknown;
}

/** A file that came with a submission. */
export interface ActionFile {
  readonly id: number;
  readonly field: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly type: string;
  readonly url: string;
  /** Reads the bytes. Rejects when the file is gone. */
  read(): Promise<Uint8Array>;
}

/** A form as the REST API shows it. */
export interface ActionForm {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly [member: string]: unknown;
}

/** An action's settings by key. `idempotency_key` is the same for every attempt at one submission. */
export type ActionSettings = Readonly<Record<string, unknown>> & { readonly idempotency_key?: string };
