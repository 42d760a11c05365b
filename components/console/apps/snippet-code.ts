// The files of the snippets with the values of an app. Browsers load this module when they show another snippet than
// the first.
import { parseUrl } from "../../ui/url";
import { EXAMPLE_FILES } from "./generated/example-files";
import type { Snippet, SnippetFile, SnippetValues, StackAddresses } from "./snippet";

/** What the files of the examples contain in place of the values of an app, beside the addresses of their entry. */
const EXAMPLE = { issuer: "http://localhost:8080", clientId: "demo-client", projectId: "demo-project" };

/** In lines for issuers on plain http, which libraries otherwise reject. */
const FOR_HTTP = "http: on this machine only";

/** Returns the files of a snippet with the values of an app. A line whose value the app lacks is omitted. */
export function filesWith({ id, kinds, addresses }: Snippet, values: SnippetValues): readonly SnippetFile[] {
  const redirectUri = values.redirectUri ?? addresses?.redirectUri;
  // Browsers return to the app after sign-out, whether that address is registered or not.
  const home = kinds.includes("browser") ? `${originOf(redirectUri) ?? originOf(addresses?.redirectUri)}/` : undefined;
  const own = { ...values, redirectUri, postLogoutRedirectUri: values.postLogoutRedirectUri ?? home };
  return (EXAMPLE_FILES[id] ?? []).map(({ name, code }) => {
    const escaped = name.endsWith(".sh") ? inShell : inString;
    const texts = dependentTexts(own, addresses, escaped);
    const replacements = new Map<string, string | undefined>();
    for (const [index, text] of dependentTexts({ ...EXAMPLE, ...addresses }, addresses, escaped).entries()) {
      if (text && text !== "http") replacements.set(text, texts[index]);
    }
    const lines = code.split(/(?<=\n)/).filter((line) => !line.includes(FOR_HTTP) || values.issuer.startsWith("http:"));
    return { name, code: filled(lines, replacements) };
  });
}

/** Replaces texts in each line. Omits the lines with a text whose replacement is undefined. */
function filled(lines: readonly string[], replacements: ReadonlyMap<string, string | undefined>): string {
  const longestFirst = [...replacements.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map((text) => text.replace(/[^\w]/g, "\\$&")).join("|"), "g");
  return lines
    .filter((line) => (line.match(pattern) ?? []).every((text) => replacements.get(text) !== undefined))
    .map((line) => line.replace(pattern, (text) => replacements.get(text) ?? ""))
    .join("");
}

/**
 * Returns the texts in the files of an example that depend on an app, always in the same order.
 * @param addresses those of the example, for programs whose app has no http(s) address
 */
function dependentTexts(
  { issuer, clientId, projectId, redirectUri, postLogoutRedirectUri }: Partial<SnippetValues> & typeof EXAMPLE,
  addresses: StackAddresses | undefined,
  escaped: (text: string) => string,
): readonly (string | undefined)[] {
  const path = redirectUri && (parseUrl(redirectUri)?.pathname ?? "/callback");
  const usual = originOf(addresses?.redirectUri);
  const origin = originOf(redirectUri) ?? usual;
  const listening = origin?.startsWith("http:") ? origin : usual;
  return [
    // The client id and a placeholder for the secret as user information (RFC 3986 §3.2.1).
    issuer.replace("://", `://${encodeURIComponent(clientId)}:<CLIENT_SECRET>@`),
    `RequireHttpsMetadata = ${issuer.startsWith("https:")}`,
    ...[issuer, clientId, projectId, redirectUri, postLogoutRedirectUri].map((text) => text && escaped(text)),
    path && `"${path}"`,
    path && `"${path.slice(1)}"`,
    redirectUri?.replace(/:.*/, ""),
    listening && `"${listening}"`,
    portOf(origin) || portOf(usual),
  ];
}

/** Returns the origin of an http(s) address. */
const originOf = (address: string | undefined): string | undefined =>
  address && /^https?:/.test(address) ? parseUrl(address)?.origin : undefined;

const portOf = (origin: string | undefined): string | undefined => origin && new URL(origin).port;

/** Escapes a text in a string literal of JSON, JavaScript, C#, Java, Go, Python or Dart. */
const inString = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Escapes a text between single quotes of a POSIX shell. */
const inShell = (text: string): string => text.replaceAll("'", `'\\''`);
