/**
 * What a client that registered itself, or its metadata document, says about itself in the language of a reader (OpenID
 * Connect Dynamic Client Registration §2.1): `client_name#ja` before `client_name`.
 */
import type { Client } from "./client";
import { negotiateLocale } from "./ui-locales";

export interface ClientWords {
  name: string;
  /** Pages of the client about its use, and about the data that it gets. */
  termsUri?: string;
  policyUri?: string;
}

type Described = Pick<Client, "appName" | "selfDescription">;

/** Returns the client's own words for a reader of a language. */
export function clientWords({ appName, selfDescription = {} }: Described, locale: string): ClientWords {
  const inLanguage = (member: string): string | undefined => {
    const tags = Object.keys(selfDescription).filter((one) => one.startsWith(`${member}#`));
    const tag = negotiateLocale(
      [locale],
      tags.map((one) => one.slice(member.length + 1)),
    );
    const said = selfDescription[tag === undefined ? member : `${member}#${tag}`];
    return typeof said === "string" ? said : undefined;
  };
  return {
    name: inLanguage("client_name") ?? appName,
    termsUri: inLanguage("tos_uri"),
    policyUri: inLanguage("policy_uri"),
  };
}
