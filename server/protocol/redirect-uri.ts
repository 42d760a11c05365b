/**
 * Redirect addresses (RFC 6749 §3.1.2, RFC 9700 §2.1 and §4.1, RFC 8252 §7). Matched as exact strings, with the port of
 * a native app's loopback address as the one exception. The rules of registration are applied again before an address
 * is used, so that a row forced into the database (`javascript:`, a wildcard, plain http) still goes nowhere.
 * Attacks: open redirector, code theft through a look-alike address, script in a redirect.
 */
import type { Client } from "./client";
import { maxLengths } from "./lengths";
import { parseUrl } from "./url";

/** What decides which addresses a client may have. */
export type RedirectRules = Pick<Client, "applicationType" | "devMode" | "authenticationMethod" | "responseTypes">;

/** RFC 3986 §2, without `*`: in a redirect address it can only be meant as a wildcard. */
const uriCharacters = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/;
const httpAddress =
  /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?)(:[0-9]{1,5})?([/?].*)?$/i;
const customAddress = /^([A-Za-z][A-Za-z0-9+.-]*):(.+)$/;
const loopbackAddress = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([0-9]{1,5}))?((?:[/?].*)?)$/;

/** Schemes that run code, read local data or lead nowhere a native app could listen. */
const refusedSchemes = new Set(
  "about blob chrome content cid data feed file filesystem ftp ftps intent jar javascript livescript mailto mhtml mid mocha resource sms tel urn vbscript view-source ws wss wyciwyg".split(
    " ",
  ),
);

/**
 * Why `uri` cannot be a redirect address of such a client, or undefined if it can.
 * Plain http: loopback for native apps, anything in development mode, and confidential web apps that use the code only.
 */
export function checkRedirectUri(uri: string, rules: RedirectRules): string | undefined {
  if (uri.length > maxLengths.redirect_uri) return `must have at most ${maxLengths.redirect_uri} characters`;
  if (uri.includes("#")) return "must not have a fragment"; // RFC 6749 §3.1.2
  if (uri.includes("*")) return "must not have a wildcard";
  if (!uriCharacters.test(uri)) return "must have only the characters of RFC 3986, anything else percent-encoded";
  const scheme = customAddress.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return "must be an absolute address";
  if (scheme === "https" || scheme === "http") {
    if (!httpAddress.test(uri) || !parseUrl(uri)) return "must be scheme, host and path, without user name";
    return scheme === "https" || mayUsePlainHttp(uri, rules) ? undefined : "must use https";
  }
  if (refusedSchemes.has(scheme)) return "must not use this scheme";
  if (rules.applicationType !== "native") return "must use https"; // RFC 8252 §7.1: own schemes are for native apps
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return "must not have a user name";
  return undefined;
}

function mayUsePlainHttp(uri: string, rules: RedirectRules): boolean {
  // What goes to a loopback address never leaves the machine, so every kind of app may be developed with it.
  if (rules.devMode || loopback(uri) !== undefined) return true;
  if (rules.applicationType === "native") return false;
  const confidential = rules.authenticationMethod !== "none";
  return rules.applicationType === "web" && confidential && rules.responseTypes.every((type) => type === "code");
}

/** Host and everything behind the port of an `http` loopback address, RFC 8252 §7.3; undefined for any other. */
function loopback(uri: string): { host: string; rest: string } | undefined {
  const match = loopbackAddress.exec(uri);
  const [, host, port, rest] = match ?? [];
  if (host === undefined || rest === undefined) return undefined;
  const isPort = port === undefined || (!port.startsWith("0") && Number(port) <= 65535);
  return isPort ? { host, rest } : undefined;
}

/** Whether an authorization response may be sent to `requested`. */
export function matchRedirectUri(client: RedirectRules & Pick<Client, "redirectUris">, requested: string): boolean {
  if (checkRedirectUri(requested, client) !== undefined) return false;
  if (client.redirectUris.includes(requested)) return true;
  if (client.applicationType !== "native") return false;
  // RFC 8252 §7.3: the port of a native app's loopback address is its choice at the time of the request.
  const wanted = loopback(requested);
  if (wanted === undefined) return false;
  return client.redirectUris.some((registered) => {
    const known = loopback(registered);
    return known !== undefined && known.host === wanted.host && known.rest === wanted.rest;
  });
}

/** Whether the browser may be sent to `requested` after logout. Spec: End session endpoint: exactly one registered address. */
export function matchPostLogoutRedirectUri(
  client: RedirectRules & Pick<Client, "postLogoutRedirectUris">,
  requested: string,
): boolean {
  return client.postLogoutRedirectUris.includes(requested) && checkRedirectUri(requested, client) === undefined;
}
