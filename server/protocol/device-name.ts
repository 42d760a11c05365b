// Describes a browser by its User-Agent header, so that users recognize their own devices. The header can be forged, so
// this proves nothing.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** How many characters are read. Real headers are half as long; a longer one may be made to be slow to match. */
const READ = 500;

/** Returns a name such as "Firefox · Linux"; undefined if nothing is recognized. */
export function deviceName(header: string): string | undefined {
  const userAgent = header.slice(0, READ);
  const known = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1]);
  const parts = known.filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(" · ") : undefined;
}
