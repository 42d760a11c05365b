// Whether this page can sign in like an application: browsers allow the cryptography of PKCE only with https or on
// localhost (W3C Secure Contexts §3.1).
import { useSyncExternalStore } from "react";

const never = () => () => {};
const canRun = (): boolean => globalThis.crypto?.subtle !== undefined;

/** The host names of this machine that browsers trust. */
const OWN_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns whether the playground can run, which only the browser knows. Until the page's script runs, the result is
 * derived from the service's address, which usually is that of the console, to avoid layout shifts.
 */
export const useCanRun = (issuer: string): boolean =>
  useSyncExternalStore(never, canRun, () => {
    const { protocol, hostname } = new URL(issuer);
    return protocol === "https:" || OWN_HOST.test(hostname);
  });
