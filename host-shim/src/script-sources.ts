/** Sources of scripts that a site allows in its forms' pages in addition to the engine's scripts. */

const HASH = /^'sha(?:256|384|512)-[\w+/=]+'$/;

/** Checks the sources, because they become part of a header: addresses of sites or scripts, `'self'` or a script's hash. */
export function scriptSources(sources: readonly string[]): readonly string[] {
  for (const source of sources) {
    const { protocol = "", search = "", hash = "" } = URL.parse(source) ?? {};
    const isAddress = /^https?:$/.test(protocol) && search === "" && hash === "" && !/[\s;,'"*]/.test(source);
    if (!isAddress && source !== "'self'" && !HASH.test(source)) {
      throw new TypeError(
        `scriptSources: ${JSON.stringify(source)} is not the address of a site or script, 'self' or the hash of a script`,
      );
    }
  }
  return sources;
}
