/**
 * Redirect URIs (RFC 6749 §3.1.2, RFC 9700 §2.1, §4.1, RFC 8252 §7). They are matched as exact strings, except for the
 * port of a native app's loopback address. The rules of registration are applied again before a URI is used, so that a
 * row forced into the database (`javascript:`, a wildcard, plain http) has no effect. Attacks: open redirector, code
 * theft through a look-alike URI, script in a redirect, a sign-in page that opens programs of the operating system, and
 * a URI with its own response parameters, which the application may read instead of the real ones.
 */
import type { Client } from "./client";
import { MAX_LENGTHS } from "./lengths";
import { type Reason, reason } from "./reason";
import { parseUrl } from "./url";

/** The settings that decide which redirect URIs a client may have. */
export type RedirectRules = Pick<Client, "applicationType" | "devMode" | "authenticationMethod" | "responseTypes">;

/** The characters of RFC 3986 §2, without `*`, which can only be meant as a wildcard in a redirect URI. */
const uriCharacters = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/;
const httpAddress =
  /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?)(:[0-9]{1,5})?([/?].*)?$/i;
const customAddress = /^([A-Za-z][A-Za-z0-9+.-]*):(.+)$/;
const loopbackAddress = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([0-9]{1,5}))?((?:[/?].*)?)$/;

/** Schemes that run code, read local data or cannot lead to a native app. */
const refusedSchemes = new Set(
  "about blob chrome content cid data feed file filesystem ftp ftps intent jar javascript livescript mailto mhtml mid mocha resource sms tel urn vbscript view-source ws wss wyciwyg".split(
    " ",
  ),
);

/** Schemes with which operating systems open their own settings, stores and helpers, or widely installed programs. */
const handlerSchemes =
  /^(?:ms-|x-apple|chrome-|moz-|microsoft-|android|itms|web\+|(?:afp|app-settings|applescript|callto|facetime|facetime-audio|gopher|hcp|help|irc|its|ldap|ldaps|magnet|market|mk|mms|msteams|news|nfs|nntp|onenote|prefs|rdp|res|rtsp|search|search-ms|sftp|shell|sip|sips|skype|slack|smb|ssh|steam|svn|teams|telnet|tg|vnc|vscode|webcal|whatsapp|windowsdefender|x-man-page|zoommtg)$)/;
/** A reversed domain name of the app, with at least one dot (RFC 8252 §7.1). */
const reversedDomain = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;

/** The parameters of a response: RFC 6749 §4, RFC 9207, OIDC Core §3, OIDC Session Management §3, JARM. */
const answerParameters = new Set(
  "code state iss error error_description error_uri access_token token_type expires_in scope id_token session_state response".split(
    " ",
  ),
);

/**
 * Returns why `uri` cannot be registered as a redirect URI of such a client, or undefined if it can. Plain http is
 * permitted on loopback, for anything in development mode, and for confidential web apps that use only the code flow.
 */
export function checkRedirectUri(uri: string, rules: RedirectRules): Reason | undefined {
  const refused = checkUsedUri(uri, rules);
  if (refused !== undefined) return refused;
  const scheme = schemeOf(uri) ?? "";
  if (isWeb(scheme) || reversedDomain.test(scheme)) return undefined;
  return reason("own_scheme");
}

const schemeOf = (uri: string) => customAddress.exec(uri)?.[1]?.toLowerCase();
const isWeb = (scheme: string) => scheme === "https" || scheme === "http";

/**
 * Returns why `uri` cannot be used. Choice: schemes without a dot that were registered before it was required remain
 * valid, unless the operating system handles them.
 */
function checkUsedUri(uri: string, rules: RedirectRules): Reason | undefined {
  if (uri.length > MAX_LENGTHS.redirect_uri) return reason("long_address", { n: MAX_LENGTHS.redirect_uri });
  if (uri.includes("#")) return reason("fragment"); // RFC 6749 §3.1.2
  if (uri.includes("*")) return reason("wildcard");
  if (!uriCharacters.test(uri)) return reason("uri_characters");
  const scheme = schemeOf(uri);
  if (scheme === undefined) return reason("absolute");
  const brought = answerParameterIn(uri);
  if (brought !== undefined) return reason("answer_parameter", { name: brought });
  if (isWeb(scheme)) {
    if (!httpAddress.test(uri) || !parseUrl(uri)) return reason("address_parts");
    return scheme === "https" || mayUsePlainHttp(uri, rules) ? undefined : reason("https");
  }
  if (refusedSchemes.has(scheme) || handlerSchemes.test(scheme)) return reason("scheme");
  if (rules.applicationType !== "native") return reason("https"); // RFC 8252 §7.1: own schemes are for native apps
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return reason("no_user_name");
  return undefined;
}

/**
 * Returns the first response parameter in the query, in any form that an application's parser may accept: letter case,
 * percent-encoding, `;` between parameters, and arrays such as `code[]`.
 */
function answerParameterIn(uri: string): string | undefined {
  const at = uri.indexOf("?");
  const pairs = at < 0 ? [] : uri.slice(at + 1).split(/[&;?]/);
  return pairs.map(nameOf).find((name) => answerParameters.has(name));
}

function nameOf(pair: string): string {
  const [encoded = ""] = pair.split("=", 1);
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [name = ""] = bytes.replaceAll("+", " ").split(/[[\0]/, 1);
  return name.trim().toLowerCase();
}

function mayUsePlainHttp(uri: string, rules: RedirectRules): boolean {
  // A request to a loopback address never leaves the machine, so every kind of app may be developed with it.
  if (rules.devMode || loopback(uri) !== undefined) return true;
  if (rules.applicationType === "native") return false;
  const confidential = rules.authenticationMethod !== "none";
  return rules.applicationType === "web" && confidential && rules.responseTypes.every((type) => type === "code");
}

/** Returns host and everything after the port of an `http` loopback URI (RFC 8252 §7.3); undefined for any other. */
function loopback(uri: string): { host: string; rest: string } | undefined {
  const match = loopbackAddress.exec(uri);
  const [, host, port, rest] = match ?? [];
  if (host === undefined || rest === undefined) return undefined;
  const isPort = port === undefined || (!port.startsWith("0") && Number(port) <= 65535);
  return isPort ? { host, rest } : undefined;
}

/** Whether an authorization response may be sent to `requested`. */
export function matchRedirectUri(
  client: RedirectRules & Pick<Client, "redirectUris"> & Partial<Pick<Client, "origin">>,
  requested: string,
): boolean {
  if (checkUsedUri(requested, client) !== undefined) return false;
  if (client.redirectUris.includes(requested)) return true;
  // A document says nothing about ports that are chosen later, whatever it says about the kind of application.
  if (client.applicationType !== "native" && client.origin !== "document") return false;
  // RFC 8252 §7.3: a native app chooses the port of its loopback address at the time of the request.
  const wanted = loopback(requested);
  if (wanted === undefined) return false;
  return client.redirectUris.some((registered) => {
    const known = loopback(registered);
    return known !== undefined && known.host === wanted.host && known.rest === wanted.rest;
  });
}

/** Whether the browser may be sent to `requested` after logout (rule SIGNOUT-2). */
export function matchPostLogoutRedirectUri(
  client: RedirectRules & Pick<Client, "postLogoutRedirectUris">,
  requested: string,
): boolean {
  return client.postLogoutRedirectUris.includes(requested) && checkUsedUri(requested, client) === undefined;
}

/**
 * Whether a page of the client may be loaded when its users sign out: its origin is that of a redirect URI (OpenID
 * Connect Front-Channel Logout 1.0 §2).
 */
export function matchFrontChannelUri(client: Pick<Client, "redirectUris">, requested: string): boolean {
  const url = parseUrl(requested);
  if (!url || requested.includes("#") || url.username !== "" || url.password !== "") return false;
  return isWeb(url.protocol.slice(0, -1)) && client.redirectUris.some((uri) => parseUrl(uri)?.origin === url.origin);
}
