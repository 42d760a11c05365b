// A snippet: an example application (examples/) with the values of an app. It runs unchanged. Secrets are never part of
// it; they are read from the environment, for which there is a `.env`.

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

/** An entry of examples/examples.json, in its order. Its files are in a module of their own (snippet-code.ts). */
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
  /** The port of an API; that of an application that users sign in to is in its addresses. */
  port?: number;
  /** Further secrets of the application itself, by their names in `.env`. */
  ownSecrets?: readonly string[];
  /** Whether the code reads the key file, `key.json`, instead of a secret. */
  readsKey?: boolean;
  /** The command that installs the library, if there is one. */
  install?: string;
  /** The command that runs the application. Programs that do not read `.env` get its values from a POSIX shell. */
  run: string;
}
