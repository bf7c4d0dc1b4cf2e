/** The sources of scripts that a site lets into its forms' pages beside the engine's own. */

const HASH = /^'sha(?:256|384|512)-[\w+/=]+'$/;

/** Checks each source, which becomes part of a header: an address of a site or script, `'self'` or a script's hash. */
export function scriptSources(sources: readonly string[]): readonly string[] {
  for (const source of sources) {
    const { protocol = "", search = "", hash = "" } = URL.parse(source) ?? {};
    const isAddress = /^https?:$/.test(protocol) && search === "" && hash === "" && !/[\s;,'"*]/.test(source);
    if (!isAddress && source !== "'self'" && !HASH.test(source)) {
      throw new TypeError(`scriptSources: ${JSON.stringify(source)} is no address of a site or script, 'self' or hash of a script`);
    }
  }
  return sources;
}
