/**
 * All cookies: their names, lifetimes and attributes. Those of the server cannot be read by scripts. `__Host-` binds a
 * cookie to this host over https (RFC 6265bis §4.1.3.2). Lax, not Strict: an application that redirects the browser
 * here, and a link from another site into the console, need the cookie; cross-site posts do not get it.
 */

const YEAR = 31_536_000;

const SERVER_COOKIES = {
  /** The opaque token of a browser, under which its sessions are stored. */
  userAgent: { name: "ua", path: "/" },
  /** The browser in which sign-ins at identity providers were started; a sign-in in another tab does not change it. */
  providerSignIn: { name: "provider-sign-in", path: "/" },
  /** The sealed tokens of the console's own sign-in. */
  console: { name: "console", path: "/" },
  /** The browser in which a sign-in of the console was started. */
  consoleSignIn: { name: "console-sign-in", path: "/" },
  /** The organization that an address of the console named last. */
  consoleOrganization: { name: "console-organization", path: "/console" },
  /** The language that was chosen in the console. */
  consoleLanguage: { name: "console-language", path: "/console", maxAge: YEAR },
} as const satisfies Record<string, { name: string; path: string; maxAge?: number }>;

export type ServerCookie = keyof typeof SERVER_COOKIES;

/** @param isHttps whether users access the service by https */
export function cookieName(cookie: ServerCookie, isHttps: boolean): string {
  const { name, path } = SERVER_COOKIES[cookie];
  return isHttps && path === "/" ? `__Host-${name}` : name;
}

export interface CookieOptions {
  /** Whether users access the service by https. */
  isHttps: boolean;
  /** Seconds, for cookies without a lifetime of their own; by default until the browser is closed. 0 deletes it. */
  maxAge?: number;
}

/** Returns the value of a Set-Cookie header. */
export function cookieHeader(cookie: ServerCookie, value: string, { isHttps, maxAge }: CookieOptions): string {
  const { path, ...own } = SERVER_COOKIES[cookie];
  const lifetime = (seconds: number | undefined) => (seconds === undefined ? "" : `; Max-Age=${seconds}`);
  const content = `${cookieName(cookie, isHttps)}=${encodeURIComponent(value)}${lifetime(maxAge)}`;
  const where = `Path=${path}${lifetime("maxAge" in own ? own.maxAge : undefined)}`;
  return `${content}; ${where}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
}

/**
 * The time zone of the device, in which times are shown, the saved views of a list, and the chosen columns of lists.
 * Set by scripts.
 */
export const TIME_ZONE_COOKIE = "tz";
export const VIEWS_COOKIE = "views";
export const COLUMNS_COOKIE = "columns";
type ScriptCookie = typeof TIME_ZONE_COOKIE | typeof VIEWS_COOKIE | typeof COLUMNS_COOKIE;

/** Returns what a script assigns to `document.cookie`. @param value must contain no semicolon */
export function scriptCookie(name: ScriptCookie, value: string, path = "/"): string {
  return `${name}=${value}; path=${path}; max-age=${YEAR}; samesite=lax`;
}

/**
 * Returns the value of a cookie that a script set; undefined if it is not set.
 * @param cookies the Cookie header or `document.cookie`
 */
export function scriptCookieIn(cookies: string, name: ScriptCookie): string | undefined {
  const found = cookies.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}
