/**
 * The URL that an API caller wants in a mail instead of our own page, with the variables `{{.Code}}`, `{{.CodeID}}`,
 * `{{.UserID}}` and `{{.OrgID}}`, and those that a kind of code has beside them. The host of that link learns the code,
 * so it may only be one that the texts and the mail server of the user's organization may lead to (SECURITY.md,
 * Messages that open accounts): a domain that the organization has proven, or this service. Addresses of the service
 * that can redirect to another host are excluded (attack: the code as the `state` of an authorization request).
 */
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { parseUrl } from "../../protocol/url";
import { readVerifiedDomains } from "../../storage/organization/organization";
import { type AccountHolder, mayOpenAccount } from "../member/privileges";

/** Characters. */
export const MAX_TEMPLATE_LENGTH = 500;
/** A path that the service does not use, where the operator may run a custom sign-in page. */
const OF_OTHERS = "/ui/";

export interface TemplateValues {
  code: string;
  /** The name of the code, if it has one. */
  codeId?: string;
  userId: string;
  organizationId: string;
  /** The values of further variables, by name. */
  more?: Readonly<Record<string, string>>;
}

export interface TemplateLink {
  url: string;
  /** Whether the link leads to this service; otherwise the organization can also read the code. */
  isOurs: boolean;
}

/**
 * Checks whether codes for this user may be sent in such a URL.
 * @param setting.changedBy who requests it
 * @param more the names of further variables
 * @returns an error if the template is not a URL, has other variables, or leads to a host that codes are not sent to
 */
export async function checkTemplate(
  ctx: Context,
  template: string,
  setting: { organizationId: string; changedBy: string },
  holder: AccountHolder,
  more: readonly string[] = [],
): Promise<ApiError | undefined> {
  const names = ["Code", "CodeID", "UserID", "OrgID", ...more];
  const filled = fill(template, Object.fromEntries(names.map((name) => [name, "0"])));
  const url = parseUrl(filled);
  // The template must contain the host literally, so that no value can change it.
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

/** Returns the URL with its values, from a template that was checked. */
export function linkFrom(ctx: Context, template: string, values: TemplateValues): TemplateLink {
  const { code, codeId = "", userId, organizationId, more } = values;
  const named = { ...more, Code: code, CodeID: codeId, UserID: userId, OrgID: organizationId };
  const url = new URL(fill(template, named));
  return { url: url.href, isOurs: url.host === new URL(ctx.config.baseUrl).host };
}

/** Replaces the variables; unknown ones are kept. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*\.?(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

const wrong = (what: string) =>
  invalidArgument("url_template.not_allowed", `urlTemplate ${what}.`, { field: "urlTemplate" });
