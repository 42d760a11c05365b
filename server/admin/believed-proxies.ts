/** The networks whose word the service takes: for the address of a client, and for its certificate. */
import { isIPv6 } from "node:net";
import type { Config } from "../config/config";
import { isPublicAddress } from "../protocol/public-address";

/**
 * Returns what `doctor` reports about TRUSTED_PROXIES. A network is too wide if it has public addresses beside that of
 * a proxy, or more private ones than a site's proxies need.
 */
export function believedProxies({ trustedProxies, mtls }: Config): ["ok" | "note", string, string] {
  const wide = trustedProxies.filter(isWide);
  if (trustedProxies.length === 0) return ["ok", "proxies", "none is believed"];
  if (wide.length === 0) return ["ok", "proxies", `believed: ${trustedProxies.join(", ")}`];
  const forged = `their address, and a client certificate in the header ${mtls.header}`;
  return ["note", "proxies", `${wide.join(", ")}: all hosts there can forge ${forged}; name the proxies alone`];
}

/** The free bits of a network with few hosts. */
const FEW = { private: 16, public: 8 };

function isWide(network: string): boolean {
  const [address = "", prefix] = network.split("/");
  if (prefix === undefined) return false;
  const free = (isIPv6(address) ? 128 : 32) - Number(prefix);
  return free > (isPublicAddress(address) ? FEW.public : FEW.private);
}
