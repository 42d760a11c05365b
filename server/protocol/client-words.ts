/**
 * What a client that registered itself, or its metadata document, says about itself in the language of a reader (OpenID
 * Connect Dynamic Client Registration §2.1): `client_name#ja` before `client_name`.
 */
import type { Client } from "./client";
import { negotiateLocale } from "./ui-locales";
import { parseUrl } from "./url";

export interface ClientWords {
  name: string;
  /** Pages of the client about its use, and about the data that it gets. */
  termsUri?: string;
  policyUri?: string;
}

type Described = Pick<Client, "appName" | "selfDescription">;

/** Returns the client's own words for a reader of a language. */
export function clientWords({ appName, selfDescription }: Described, locale: string): ClientWords {
  return {
    name: inLanguage(selfDescription, "client_name", locale) ?? appName,
    termsUri: inLanguage(selfDescription, "tos_uri", locale),
    policyUri: inLanguage(selfDescription, "policy_uri", locale),
  };
}

type Pictured = Pick<Client, "clientId" | "origin" | "standing" | "redirectUris" | "selfDescription">;

/**
 * Returns the address of the client's logo for a reader of a language, if it is on a host of the client: that of its
 * metadata document, or of one of its redirect URIs (rule REGISTER-8). A trusted client may have it anywhere. Attack:
 * the logo of a well-known company, from its own site, beside the name of a stranger.
 */
export function clientLogo(client: Pictured, locale: string): string | undefined {
  const address = inLanguage(client.selfDescription, "logo_uri", locale);
  const logo = address === undefined ? undefined : parseUrl(address);
  if (logo?.protocol !== "https:") return undefined;
  const own = client.origin === "document" ? [client.clientId] : client.redirectUris;
  const isOwn = own.map(parseUrl).some((url) => url?.protocol === "https:" && url.host === logo.host);
  return isOwn || client.standing === "trusted" ? logo.href : undefined;
}

function inLanguage(said: Client["selfDescription"] = {}, member: string, locale: string): string | undefined {
  const tags = Object.keys(said).filter((one) => one.startsWith(`${member}#`));
  const tag = negotiateLocale(
    [locale],
    tags.map((one) => one.slice(member.length + 1)),
  );
  const value = said[tag === undefined ? member : `${member}#${tag}`];
  return typeof value === "string" ? value : undefined;
}
