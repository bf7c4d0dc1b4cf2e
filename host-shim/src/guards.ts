/** Headers that keep browsers strict, of answers that are no page. The engine sets the same (src/http/mod.rs). */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

export const NO_DEVICES = "camera=(), microphone=(), geolocation=()";

export const GUARDS = [
  ["content-security-policy", NO_PAGE],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", NO_DEVICES],
  ["x-content-type-options", "nosniff"],
] as const;
