// The `.env` file of an application: the values that the copied code reads, with the same names for every stack.
import type { Snippet } from "./snippet";

export interface EnvironmentValues {
  issuer: string;
  clientId: string;
  /** Omitted if it is no longer known; the user fills it in. */
  clientSecret?: string;
}

/**
 * Returns the lines of the file.
 * @param ownSecret returns a secret of the application itself by its name
 */
export function environmentFile(
  { issuer, clientId, clientSecret }: EnvironmentValues,
  stack: Pick<Snippet, "ownSecrets"> | undefined,
  ownSecret: (name: string) => string,
): string {
  const own = (stack?.ownSecrets ?? []).map((name) => [name, ownSecret(name)] as const);
  const line = (name: string, value: string) => `${name}=${literal(value)}\n`;
  const secret =
    clientSecret === undefined
      ? "# Shown only when it was created:\nCLIENT_SECRET=\n"
      : line("CLIENT_SECRET", clientSecret);
  const rest = own.map(([name, value]) => line(name, value)).join("");
  return line("ISSUER", issuer) + line("CLIENT_ID", clientId) + secret + rest;
}

/** Quotes a value only if a shell would interpret it: not every reader of such files supports quotes. */
const literal = (value: string): string => (/^[\w.:/@%+=,~-]*$/.test(value) ? value : `'${value.replaceAll("'", "")}'`);

/** Returns 256 random bits in hexadecimal digits only, so that every secret breaks into lines at the same places. */
export const generatedSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns a placeholder of the same length as a secret, for use before the secret exists. */
export const noSecretYet = (): string => ".".repeat(64);
