/** Policy for responses that are not pages. The engine sets the same headers (src/http/mod.rs). */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** Policy that denies access to devices. */
export const NO_DEVICES = "camera=(), microphone=(), geolocation=()";

/** Security headers of responses that are not pages. */
export const GUARDS = [
  ["content-security-policy", NO_PAGE],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", NO_DEVICES],
  ["x-content-type-options", "nosniff"],
] as const;
