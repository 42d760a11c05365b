// A snippet: the few files of a complete application of one stack that signs users in. It contains the app's values and
// runs unchanged. Secrets are never part of it; they are read from the environment, for which there is a `.env`.
import { parseUrl } from "../../../ui/url";

/** The kind of app; the wizard's first question. `device` is a command-line program or a TV. */
export type AppKind = "web" | "browser" | "native" | "device" | "machine" | "api";

/** How an API verifies a token: by introspection (RFC 7662), or by the signature and claims of a JWT (RFC 9068). */
export type TokenCheck = "introspection" | "jwt";

export interface SnippetValues {
  /** BASE_URL, byte for byte. */
  issuer: string;
  clientId: string;
  /** The project id, which is in the audience of tokens for the project's APIs. */
  projectId: string;
  /** The redirect URI; undefined for kinds that users do not sign in to. */
  redirectUri: string | undefined;
  postLogoutRedirectUri: string | undefined;
}

/** The addresses of an application of the stack during development. */
export interface StackAddresses {
  redirectUri: string;
  postLogoutRedirectUri?: string;
  /** Whether the library chooses the path, so that no other path works. */
  hasFixedPath?: boolean;
}

export interface SnippetFile {
  name: string;
  code: string;
}

export interface Snippet {
  /** A stable identifier for addresses and tests. */
  id: string;
  /** The product names, identical in every language. */
  title: string;
  kinds: readonly AppKind[];
  /** The token check of an API; undefined for all other kinds. */
  way?: TokenCheck;
  /** The addresses that the wizard registers; undefined for kinds that users do not sign in to. */
  addresses?: StackAddresses;
  /** Further secrets of the application itself, by their names in `.env`. */
  ownSecrets?: readonly string[];
  /** Whether the code reads the key file, `key.json`, instead of a secret. */
  readsKey?: boolean;
  /** The command that installs the library, if there is one. */
  install: string | undefined;
  /** The command that runs the application, with the secret if it has one. */
  run: string;
  files(values: SnippetValues): readonly SnippetFile[];
}

/** Returns the path of an http(s) address, for example `/callback`; returns other addresses unchanged. */
export function pathOfAddress(address: string | undefined, fallback: string): string {
  return parseUrl(address ?? "")?.pathname ?? fallback;
}

/** Returns the origin of an http(s) address of the application. */
export function originOf(address: string | undefined, fallback: string): string {
  const url = address !== undefined && /^https?:/.test(address) ? parseUrl(address) : undefined;
  return url?.origin ?? fallback;
}

/** Returns a value as a JSON string literal, which is valid in JavaScript, C#, Java, Go, Python and Dart. */
export const quoted = (value: string | undefined): string => JSON.stringify(value ?? "");

/** Returns a further argument if the issuer uses plain http, which openid-client otherwise rejects. */
export const onLoopback = (issuer: string): string =>
  issuer.startsWith("http:") ? "\n  { execute: [client.allowInsecureRequests] }, // http: on this machine only" : "";

/**
 * Returns a command that runs with the values of `.env` in its environment, for programs that do not read the file;
 * POSIX shells only.
 */
export const withEnvironment = (command: string): string => `set -a; . ./.env; set +a; ${command}`;
