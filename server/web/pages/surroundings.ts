/**
 * The settings of an organization for all its pages: branding, footer links, allowed languages. While the database is
 * unavailable, the service's own are used, so that an error page can be rendered.
 */
import type { FooterLinks } from "../../../components/login/document";
import { locales } from "../../../messages/locales";
import type { Context } from "../../context";
import { type Brand, findBrand, NEUTRAL_BRAND } from "../../directory/branding/branding";
import {
  BUILT_IN_LANGUAGES,
  knownLanguages,
  type Language,
  type LanguageEntry,
} from "../../directory/policy/languages";
import { findPolicy, type PolicySettings } from "../../directory/policy/policies";
import { unlessUnavailable } from "../../directory/unavailable";

export interface Surroundings {
  brand: Brand;
  links?: PolicySettings<"privacy">;
  /** The languages that may be chosen. */
  languages: readonly Language[];
  /** The languages as they are offered. */
  offered: readonly LanguageEntry[];
}

/** The surroundings that are available without the database. */
export const BARE: Surroundings = { brand: NEUTRAL_BRAND, languages: BUILT_IN_LANGUAGES, offered: locales };

/**
 * Returns the surroundings.
 * @param organizationId undefined for the instance's
 */
export function surroundingsOf(ctx: Context, organizationId: string | undefined): Promise<Surroundings> {
  return unlessUnavailable<Surroundings>(async () => {
    const [brand, links, known] = await Promise.all([
      findBrand(ctx, organizationId),
      findPolicy(ctx, "privacy", organizationId),
      knownLanguages(ctx),
    ]);
    return { brand, links, languages: known.allowed, offered: known.allowedEntries };
  }, BARE);
}

/** Returns the links, with the language of the page in place of {{.Lang}}. */
export function footerLinks(links: Surroundings["links"], locale: string): FooterLinks | undefined {
  if (!links) return undefined;
  const link = (address: string) => (address === "" ? undefined : address.replaceAll("{{.Lang}}", locale));
  return {
    termsHref: link(links.tosLink),
    privacyHref: link(links.privacyLink),
    helpHref: link(links.helpLink),
    documentationHref: link(links.docsLink),
    supportEmail: links.supportEmail || undefined,
  };
}
