/** Parses networks in settings: addresses and CIDR ranges, separated by commas. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An IP address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network's address and prefix length. */
export type Network = readonly [Address, number];

/** Parses a list of networks; null when an item is neither an address nor a CIDR range. */
export function parseNetworks(text: string): readonly Network[] | null {
  const networks: Network[] = [];
  for (const item of text.split(",")) {
    const network = parseNetwork(item.trim());
    if (network === null) return null;
    networks.push(network);
  }
  return networks;
}

function parseNetwork(text: string): Network | null {
  if (isIP(text) !== 0) {
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  const [address = ""] = text.split("/");
  return isIP(address) !== 0 && ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

export function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
