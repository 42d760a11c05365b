/**
 * The address that a caller of the API wants in a mail instead of our own page, with `{{.Code}}`, `{{.UserID}}` and
 * `{{.OrgID}}` to be filled in. Whoever reads the address of that link has the code, so it leads only where the words and
 * the mail server of the person's organization may lead (SECURITY.md, Messages that open accounts): to a domain that the
 * organization has proven, or to this service. Of the service's own addresses those are left out that can lead on to
 * somebody else's: an application may stand behind them (attack: the code as the `state` of an authorization request).
 */
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { parseUrl } from "../../protocol/url";
import { readVerifiedDomains } from "../../storage/organizations";
import { type AccountHolder, mayOpenAccount } from "../member/privileges";

/** Characters. */
export const MAX_TEMPLATE_LENGTH = 500;
/** Where nothing of this service answers, but a sign-in of the operator's own may stand. */
const OF_OTHERS = "/ui/";

export interface TemplateValues {
  code: string;
  userId: string;
  organizationId: string;
}

export interface TemplateLink {
  url: string;
  /** On the host of this service; otherwise the organization reads the code as well as the person. */
  isOurs: boolean;
}

/**
 * Whether codes for this person may be in such an address.
 * @param setting.changedBy who asks for it
 * @returns the refusal if it is no address, has other variables, or leads to a host that codes are not sent to
 */
export async function checkTemplate(
  ctx: Context,
  template: string,
  setting: { organizationId: string; changedBy: string },
  holder: AccountHolder,
): Promise<ApiError | undefined> {
  const filled = fill(template, { Code: "0", UserID: "0", OrgID: "0" });
  const url = parseUrl(filled);
  // The host is written out, so that no value makes it another one.
  if (!/^https?:\/\/[^/?#{}\\@\s]+([/?#]|$)/i.test(template) || !url || /[{}\\\p{Cc}\p{Cs}]/u.test(filled)) {
    return wrong("must be an address with {{.Code}}, {{.UserID}} and {{.OrgID}} at most");
  }
  const own = new URL(ctx.config.baseUrl);
  if (url.protocol !== "https:" && url.protocol !== own.protocol) return wrong("must begin with https://");
  if (url.host === own.host) {
    return url.pathname.startsWith(OF_OTHERS) ? undefined : wrong(`may lead to ${OF_OTHERS} alone on this host`);
  }
  const proven = await readVerifiedDomains(ctx.db.prisma, setting.organizationId);
  const isProven = proven.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  if (isProven && (await mayOpenAccount(ctx, setting, holder))) return undefined;
  return wrong(
    "leads to a host that codes are not sent to: it must be under a domain that the organization has proven",
  );
}

/** The address with its values, of a template that was checked. */
export function linkFrom(ctx: Context, template: string, values: TemplateValues): TemplateLink {
  const { code, userId, organizationId } = values;
  const url = new URL(fill(template, { Code: code, UserID: userId, OrgID: organizationId }));
  return { url: url.href, isOurs: url.host === new URL(ctx.config.baseUrl).host };
}

/** Variables that are not known stay as they are. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*\.?(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

const wrong = (what: string) =>
  invalidArgument("url_template.not_allowed", `urlTemplate ${what}.`, { field: "urlTemplate" });
