// Whether this page can sign in as an application does: browsers only allow the cryptography of PKCE with https or on this
// machine (W3C Secure Contexts §3.1).
import { useSyncExternalStore } from "react";

const never = () => () => {};
const canRun = (): boolean => globalThis.crypto?.subtle !== undefined;

/** Those of this machine, as browsers see it. */
const OWN_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Only the browser knows. Until the page's script runs, the address of the service decides, at which the console is as a
 * rule: what appears later moves what is below it, perhaps under somebody's pointer.
 */
export const useCanRun = (issuer: string): boolean =>
  useSyncExternalStore(never, canRun, () => {
    const { protocol, hostname } = new URL(issuer);
    return protocol === "https:" || OWN_HOST.test(hostname);
  });
