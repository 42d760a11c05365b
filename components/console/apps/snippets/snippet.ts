// A snippet: the few files with which an application of one stack signs people in, complete and with the app's values,
// so that it runs unchanged. Secrets are never part of it; they come from the environment, for which there is a `.env`.
import { parseUrl } from "../../../ui/url";

/** The kind of app; the wizard's first question. `device` is a command-line program or a TV. */
export type AppKind = "web" | "browser" | "native" | "device" | "machine" | "api";

/** How an API finds out what a token is worth: by RFC 7662, or by the signature and claims of RFC 9068. */
export type TokenCheck = "introspection" | "jwt";

export interface SnippetValues {
  /** BASE_URL, byte for byte. */
  issuer: string;
  clientId: string;
  /** Stands in the audience of tokens that are meant for the project's APIs. */
  projectId: string;
  /** The redirect URI; undefined for kinds that nobody signs in to. */
  redirectUri: string | undefined;
  postLogoutRedirectUri: string | undefined;
}

/** Where an application of the stack is while it is being built. */
export interface StackAddresses {
  redirectUri: string;
  postLogoutRedirectUri?: string;
  /** Whether the library chooses the path, so that another one does not work. */
  hasFixedPath?: boolean;
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
  /** Of an API; undefined for all others. */
  way?: TokenCheck;
  /** What the wizard registers for it; undefined where nobody signs in. */
  addresses?: StackAddresses;
  /** Further secrets of the application itself, by their names in `.env`. */
  ownSecrets?: readonly string[];
  /** Whether it reads the key file, `key.json`, instead of a secret. */
  readsKey?: boolean;
  /** The command that installs the library, if there is one. */
  install: string | undefined;
  /** The command that runs it, with the secret if it has one. */
  run: string;
  files(values: SnippetValues): readonly SnippetFile[];
}

/** The path of an address of the application, for instance `/callback`; the whole address if it is not an http one. */
export function pathOfAddress(address: string | undefined, fallback: string): string {
  return parseUrl(address ?? "")?.pathname ?? fallback;
}

/** The origin of an address of the application. */
export function originOf(address: string | undefined, fallback: string): string {
  const url = address !== undefined && /^https?:/.test(address) ? parseUrl(address) : undefined;
  return url?.origin ?? fallback;
}

/** A value as a string literal; that of JSON is valid in JavaScript, C#, Java, Go, Python and Dart. */
export const quoted = (value: string | undefined): string => JSON.stringify(value ?? "");

/** A further argument if the issuer is on this machine, as openid-client otherwise refuses plain http. */
export const onLoopback = (issuer: string): string =>
  issuer.startsWith("http:") ? "\n  { execute: [client.allowInsecureRequests] }, // http: on this machine only" : "";

/** The command with the values of `.env` in its environment, for what does not read the file itself; POSIX shells. */
export const withEnvironment = (command: string): string => `set -a; . ./.env; set +a; ${command}`;
