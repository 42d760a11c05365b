/**
 * What an organization sets for all its pages: the look, the links at the bottom, the allowed languages. While the
 * database is unavailable the service's own are used, so that a page can say so.
 */
import type { FooterLinks } from "../../../components/login/document";
import { type LocaleTag, locales } from "../../../messages/locales";
import type { Context } from "../../context";
import { type Brand, findBrand, NEUTRAL_BRAND } from "../../directory/branding/branding";
import { findPolicy, type PolicySettings } from "../../directory/policy/policies";
import { allowedAmong } from "../../directory/policy/restrictions";
import { unlessUnavailable } from "../../directory/unavailable";

export const localeTags: readonly LocaleTag[] = locales.map(({ tag }) => tag);

export interface Surroundings {
  brand: Brand;
  links?: PolicySettings<"privacy">;
  languages: readonly LocaleTag[];
}

/** Available without the database. */
export const BARE: Surroundings = { brand: NEUTRAL_BRAND, languages: localeTags };

/** @param organizationId undefined: the instance's */
export function surroundingsOf(ctx: Context, organizationId: string | undefined): Promise<Surroundings> {
  return unlessUnavailable<Surroundings>(async () => {
    const [brand, links, languages] = await Promise.all([
      findBrand(ctx, organizationId),
      findPolicy(ctx, "privacy", organizationId),
      allowedAmong(ctx, localeTags),
    ]);
    return { brand, links, languages };
  }, BARE);
}

/** The links, with the language of the page in place of {{.Lang}}. */
export function footerLinks(links: Surroundings["links"], locale: LocaleTag): FooterLinks | undefined {
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
