// The `.env` of an application: what the copied code reads, under the same names for every stack.
import type { Snippet } from "./snippets/snippet";

export interface EnvironmentValues {
  issuer: string;
  clientId: string;
  /** Left out where it is not known any more, to be filled in. */
  clientSecret?: string;
}

/** The lines of the file, with fresh secrets for what the stack needs of its own. */
export function environmentFile(
  { issuer, clientId, clientSecret }: EnvironmentValues,
  stack: Pick<Snippet, "ownSecrets"> | undefined,
  ownSecret: () => string = randomText,
): string {
  const own = (stack?.ownSecrets ?? []).map((name) => [name, ownSecret()] as const);
  const line = (name: string, value: string) => `${name}=${literal(value)}\n`;
  const secret =
    clientSecret === undefined
      ? "# Shown once, when it was made:\nCLIENT_SECRET=\n"
      : line("CLIENT_SECRET", clientSecret);
  const rest = own.map(([name, value]) => line(name, value)).join("");
  return line("ISSUER", issuer) + line("CLIENT_ID", clientId) + secret + rest;
}

/** In quotes only if a shell would read it otherwise: not every reader of such files knows quotes. */
const literal = (value: string): string => (/^[\w.:/@%+=,~-]*$/.test(value) ? value : `'${value.replaceAll("'", "")}'`);

/** 256 bits, in digits alone, so that every secret breaks into lines at the same places. */
const randomText = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Stands where a secret will, before there is one, and takes the same room. */
export const noSecretYet = (): string => ".".repeat(64);
