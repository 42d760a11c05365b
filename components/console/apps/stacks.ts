// The frameworks that the wizard asks for, and which of them an app was made for.
import { parseUrl } from "../../ui/url";
import type { OidcConfig } from "./app";
import { snippets } from "./snippets/all";
import type { AppKind, Snippet } from "./snippets/snippet";

/** A framework with the kind of app that is made with it. */
export interface Stack {
  snippet: Snippet;
  kind: AppKind;
}

/** Those that people sign in to; all others have the one question less anyway. */
export const STACKS: readonly Stack[] = snippets.flatMap((snippet) => {
  const [kind] = snippet.kinds;
  return snippet.addresses && kind ? [{ snippet, kind }] : [];
});

export const stackOf = (id: string | undefined): Stack | undefined => STACKS.find(({ snippet }) => snippet.id === id);

/** The page's own order, with the stack first that was chosen, or that the app's addresses are those of. */
export function inOrder(
  list: readonly Snippet[],
  chosenId: string | undefined,
  redirectUris: readonly string[],
): Snippet[] {
  const isMeant = ({ id }: Snippet) => id === chosenId;
  const isRegistered = ({ addresses }: Snippet) =>
    addresses !== undefined && redirectUris.includes(addresses.redirectUri);
  const first = list.find(isMeant) ?? list.find(isRegistered);
  return first ? [first, ...list.filter((one) => one !== first)] : [...list];
}

/**
 * Where the code of a stack comes back to: the app's own address, or, where the library chooses the path, that path at the
 * app's address. It works only if it is registered.
 */
export function redirectUriFor(
  { addresses }: Snippet,
  { redirectUris }: Pick<OidcConfig, "redirectUris">,
): string | undefined {
  const [first] = redirectUris;
  if (!addresses?.hasFixedPath) return first ?? addresses?.redirectUri;
  const { pathname } = new URL(addresses.redirectUri);
  const registered = redirectUris.find((uri) => parseUrl(uri)?.pathname === pathname);
  if (registered !== undefined) return registered;
  const origin = first !== undefined && /^https?:/.test(first) ? parseUrl(first)?.origin : undefined;
  return origin === undefined ? addresses.redirectUri : origin + pathname;
}
