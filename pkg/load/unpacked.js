// A module that is carried as code: gzipped, in base64.

/**
 * @param {string} base64
 * @returns {Promise<WebAssembly.Module>}
 */
export async function unpacked(base64) {
  const bytes = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}

/** @param {string} text */
function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
