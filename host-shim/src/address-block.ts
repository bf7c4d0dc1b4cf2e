/**
 * Returns the block by which rate limits count an address: the IPv4 address itself, or the /64 of an IPv6 address. Each
 * customer of a network has at least 2^64 IPv6 addresses. Text that is not an address is returned unchanged.
 */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  // A zone (`fe80::1%eth0`) names an interface of this machine, not the client.
  const groups = groupsOf(address.replace(/%.*$/, ""));
  if (groups === null) return address;
  const [high = 0, low = 0] = groups.slice(6);
  if (isMapped(groups)) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return `${
    canonical(
      `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")}::`,
    ) ?? address
  }/64`;
}

/**
 * Returns the usual form of an IPv4 address that a dual-stack socket writes as `::ffff:192.0.2.1`, and any other text
 * unchanged.
 */
export function plainAddress(address: string): string {
  return /ffff:/i.test(address) && /^[\da-f:.]+$/i.test(address) && isMapped(groupsOf(address) ?? [])
    ? addressBlock(address)
    : address;
}

/** Whether the groups are an IPv4-mapped address (RFC 4291 §2.5.5.2), which dual-stack sockets write. */
function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** An IPv6 address in the form of RFC 5952; null for any other text. */
function canonical(address: string): string | null {
  return /^\[(.*)\]$/.exec(URL.parse(`http://[${address}]/`)?.hostname ?? "")?.[1] ?? null;
}

/** The eight groups of an IPv6 address; null for any other text. */
function groupsOf(address: string): readonly number[] | null {
  const written = canonical(address);
  if (written === null) return null;
  const [before = [], after = []] = written.split("::").map((side) => (side === "" ? [] : side.split(":")));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
