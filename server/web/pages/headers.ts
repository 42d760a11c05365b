// The headers of every HTML page: what the page may load and where its form may go (CSP Level 3), that no site may
// frame it (clickjacking, RFC 9700 §4.16), that no cache stores it, and that other sites do not learn its address.
// Referrer-Policy is `same-origin`: with `no-referrer`, browsers send `Origin: null` and every form would be rejected.
import { createHash } from "node:crypto";
import { parseUrl } from "../../protocol/url";

export interface PagePolicy {
  /** The `'sha256-…'` of the only inline style. */
  styleHash: string;
  /** The `'sha256-…'` of the only inline script, if there is one. */
  scriptHash?: string;
  /** Whether the script may call this origin. */
  callsItself?: boolean;
  /** The validated addresses that the page loads in frames. */
  frames?: readonly string[];
  /** The validated redirect URI, or its origin, to which the response to the page's form may redirect. */
  formActionOrigin?: string;
  /** Whether the form, whose only target is fixed, may lead anywhere by redirects to unknown origins. */
  leadsAnywhere?: boolean;
}

const PERMISSIONS =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
  "midi=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)";

/** Returns the headers of one page, with lowercase names. Content-Type and status are set by the renderer. */
export function publicPageHeaders(policy: PagePolicy): Record<string, string> {
  const directives = [
    "default-src 'none'",
    `style-src ${policy.styleHash}`,
    policy.scriptHash && `script-src ${policy.scriptHash}`,
    policy.callsItself ? "connect-src 'self'" : undefined,
    "img-src 'self' data:",
    policy.frames && `frame-src ${frameSources(policy.frames)}`,
    policy.leadsAnywhere ? undefined : formAction(formActionSource(policy.formActionOrigin)),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return pageHeaders(directives);
}

/**
 * Returns the directive of a page whose form may answer with a redirect to an application. Chromium applies it to every
 * further redirect as well, and an application's callback often leads to another origin of its own, which is not
 * registered here: so it allows all https origins, and for an application on http, as in development, all http origins.
 */
function formAction(source: string | undefined): string {
  const further = source?.startsWith("https:") ? " https:" : source?.startsWith("http:") ? " http: https:" : "";
  return source === undefined ? "form-action 'self'" : `form-action 'self' ${source}${further}`;
}

/** Returns the CSP sources of addresses: with their path, if it has no characters that mean something in a policy. */
function frameSources(addresses: readonly string[]): string {
  const sources = addresses.flatMap((address) => {
    const source = formActionSource(address);
    const { pathname } = new URL(address);
    if (source === undefined) return [];
    return [source.includes("//") && /^[\w\-.~/]+$/.test(pathname) ? source + pathname : source];
  });
  return [...new Set(sources)].join(" ");
}

export interface ConsolePolicy {
  /** The nonce of this response; Next.js puts it on its scripts. */
  nonce: string;
  /** The pages of `npm run dev` reload themselves, which needs eval and inline styles. */
  development: boolean;
}

/** Returns the headers of a console page, which has our scripts and shows mails in frames. */
export function consolePageHeaders({ nonce, development }: ConsolePolicy): Record<string, string> {
  const directives = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return pageHeaders(directives);
}

function pageHeaders(directives: (string | undefined)[]): Record<string, string> {
  return {
    "content-security-policy": directives.filter(Boolean).join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": PERMISSIONS,
    "cache-control": "private, no-store",
  };
}

/** Returns `'sha256-…'` as a CSP source, of exactly the characters between the tags (CSP3 §6.7.3.3). */
export function contentHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * Returns the CSP source for a redirect URI. Browsers also apply form-action to the redirect in the response to the
 * form, so it must contain the application's origin. A private-use scheme, or a host that CSP cannot express (IPv6),
 * becomes its scheme alone; characters that could end the directive or make it a wildcard are never included.
 */
export function formActionSource(redirectUri: string | undefined): string | undefined {
  const url = redirectUri === undefined ? undefined : parseUrl(redirectUri);
  if (!url) return undefined;
  const { protocol, host } = url;
  if (protocol === "javascript:" || protocol === "data:") return undefined;
  const spellable = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.?(:\d+)?$/i.test(host);
  const web = protocol === "https:" || protocol === "http:";
  return web && spellable ? `${protocol}//${host}` : protocol;
}
