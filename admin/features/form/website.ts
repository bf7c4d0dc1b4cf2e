/** Website of a pasted page address. */

/** Returns the origin of a page's address, such as `https://example.org`; null for text that is not a web address. */
export function websiteOf(text: string): string | null {
  const typed = text.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(address)) return null;
  const { protocol, origin, hostname } = new URL(address);
  const isSite = hostname.includes(".") || hostname === "localhost" || hostname.startsWith("[");
  return isSite && /^https?:$/.test(protocol) ? origin : null;
}
