/** Lists of addresses and CIDR networks. */
import { BlockList, isIP } from "node:net";

export function networkList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits] = cidr.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is in the list. False for a text that is not an address. */
export function isInNetworks(list: BlockList, address: string): boolean {
  const mapped = address.startsWith("::ffff:") ? address.slice(7) : address;
  return isIP(mapped) !== 0 && list.check(mapped, isIP(mapped) === 6 ? "ipv6" : "ipv4");
}
