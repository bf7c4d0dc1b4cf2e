/** Checks the options of `createForms` for callers without TypeScript. */

/** The methods of each port of the host. */
const PORT_METHODS: Readonly<Record<string, readonly string[]>> = {
  database: ["batch"],
  mailer: ["send"],
  http: ["fetch"],
  files: ["put", "get", "delete"],
  meta: ["get", "set", "delete"],
};

/** Throws a `TypeError` that names each fault of `baseUrl` and of the host's ports. */
export function checkOptions(options: unknown): void {
  const { baseUrl, host } = isObject(options) ? options : {};
  const faults = [...addressFaults(baseUrl), ...hostFaults(host)];
  if (faults.length > 0) throw new TypeError(`createForms: ${faults.join("; ")}`);
}

function addressFaults(baseUrl: unknown): string[] {
  if (baseUrl === undefined || baseUrl === null) return ["the option `baseUrl` is missing"];
  if (typeof baseUrl === "function" || (typeof baseUrl === "string" && URL.canParse(baseUrl))) return [];
  return ["`baseUrl` must be an address such as https://example.org, or a function of the request"];
}

function hostFaults(host: unknown): string[] {
  if (!isObject(host)) return ["the option `host` is missing"];
  return Object.entries(PORT_METHODS).flatMap(([name, methods]) => {
    const port = host[name];
    if (port === undefined || port === null) return name === "database" ? ["`host.database` is missing"] : [];
    const missing = methods.filter((method) => !isObject(port) || typeof port[method] !== "function");
    return missing.map((method) => `\`host.${name}\` has no ${method}()`);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}
