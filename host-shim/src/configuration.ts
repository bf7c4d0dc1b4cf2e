/** Builds the engine's configuration from the host's options. */

import type { Addresses } from "./addresses.ts";
import type { AssetNames } from "./assets.ts";
import type { FormsOptions } from "./options.ts";
import { scriptSources } from "./script-sources.ts";

const DEFAULT_BODY_LIMIT = 1 << 20;
const DEFAULT_UPLOAD_LIMIT = 16 << 20;

/** Bounds of request bodies, in bytes. */
export interface BodyLimits {
  /** The largest body of a REST request, or of a visitor's submit that is not multipart. */
  readonly rest: number;
  /** The largest multipart body of a visitor's submit, files included. */
  readonly upload: number;
}

export const bodyLimits = ({
  bodyLimit = DEFAULT_BODY_LIMIT,
  uploadLimit = DEFAULT_UPLOAD_LIMIT,
}: FormsOptions): BodyLimits => ({ rest: bodyLimit, upload: uploadLimit });

/** The JSON that the engine's `configure` takes (`src/task/configuration.rs`), as UTF-8. */
export function engineConfiguration(options: FormsOptions, addresses: Addresses, assets: AssetNames): Uint8Array {
  const { host, mailFrom, secret, instance, languages = {}, keepDays = {} } = options;
  const { restRoot, frontPrefix, configured, publicUrl } = addresses;
  const limits = bodyLimits(options);
  const ports = { mail: host.mailer, http: host.http, files: host.files, meta: host.meta };
  const configuration = {
    dialect: host.database.dialect,
    base_url: configured,
    public_url: publicUrl ?? "",
    forwarded_for_is_read: options.forwardedForIsRead ?? false,
    rest_root: restRoot,
    front_prefix: frontPrefix,
    ports: Object.entries(ports).flatMap(([name, port]) => (port === undefined ? [] : [name])),
    assets,
    secret: secret ?? "",
    instance: instance ?? "",
    sign_in_url: options.signInUrl ?? "",
    submission_url: options.submissionUrl ?? "",
    script_sources: scriptSources(options.scriptSources ?? []),
    keep_days: keepDays,
    body_limit: limits.rest,
    upload_limit: limits.upload,
    languages: Object.fromEntries(Object.entries(languages).map(([tag, texts]) => [tag.toLowerCase(), texts])),
    mail_from: mailFrom ?? `forms@${new URL(configured).hostname}`,
  };
  return new TextEncoder().encode(JSON.stringify(configuration));
}
