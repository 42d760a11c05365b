// What a snippet is: the few files with which an application of one stack signs people in, complete and with the app's
// own values, so that it runs as it stands. A secret is never in it; it comes from the environment.
import { parseUrl } from "../../../ui/url";

/** What is being built; the wizard's first question. */
export type AppKind = "web" | "browser" | "native" | "machine" | "api";

export interface SnippetValues {
  /** BASE_URL, byte for byte. */
  issuer: string;
  clientId: string;
  /** Where people come back to; undefined for kinds where nobody signs in. */
  redirectUri: string | undefined;
  postLogoutRedirectUri: string | undefined;
}

export interface SnippetFile {
  name: string;
  code: string;
}

export interface Snippet {
  /** Stable, for addresses and tests. */
  id: string;
  /** Product names, the same in every language. */
  title: string;
  kinds: readonly AppKind[];
  /** The command that gets the library; undefined where there is none. */
  install: string | undefined;
  /** The command that runs it, with the secret where it has one. */
  run: string;
  files(values: SnippetValues): readonly SnippetFile[];
}

/** The path of an address of the application, `/callback`; the address itself where it is none of http. */
export function pathOf(address: string | undefined, fallback: string): string {
  return parseUrl(address ?? "")?.pathname ?? fallback;
}

/** The origin of an address of the application. */
export function originOf(address: string | undefined, fallback: string): string {
  const url = address !== undefined && /^https?:/.test(address) ? parseUrl(address) : undefined;
  return url?.origin ?? fallback;
}

/** A value as a string of JavaScript, C#, Java, Go, Python or Dart: what JSON writes is one in all of them. */
export const quoted = (value: string | undefined): string => JSON.stringify(value ?? "");

/** openid-client refuses plain http unless it is told: a further argument where the issuer is on this machine. */
export const onLoopback = (issuer: string): string =>
  issuer.startsWith("http:") ? "\n  { execute: [client.allowInsecureRequests] }, // http: on this machine only" : "";
