/**
 * The errors of the management APIs in the caller's language: that of `Accept-Language`, for the console's own pages that
 * of the page. The slug never changes, so programs branch on it. English shows the operation's own sentence, which is the
 * most precise, and so do other languages where the table has none.
 */
import { type RefusalMessages, refusalMessages } from "../../messages/refusals";
import { type ApiError, type ApiErrorBody, apiErrorBody } from "../protocol/api-error";

type Texts = RefusalMessages["by"];
type TextKey = keyof Texts["id"];
type ReasonKey = keyof Texts["reason"];

/** Errors share a sentence if people can do the same about them. */
const IDS_BY_TEXT: Readonly<Record<TextKey, readonly string[]>> = {
  denied: ["access.denied", "access.delegated", "console.cross_site"],
  higher_role: ["access.higher_role"],
  unavailable: ["metrics.unavailable", "service.unavailable"],
  unexpected: ["service.unexpected", "message.not_composed"],
  other_sign_in: ["console.csrf"],
  signed_out: ["console.signed_out", "access.token_invalid", "access.app_not_allowed"],
  gone: [
    ...["app.key_not_found", "app.not_found", "app.secret_not_found", "credential.not_found", "domain.not_found"],
    ...["grant.not_found", "label.no_preview", "machine.key_not_found", "machine.no_secret", "machine.token_not_found"],
    ...["mail_settings.not_found", "member.not_found", "message.no_letter", "message.not_found", "metadata.not_found"],
    ...["message_text.not_found", "organization.not_found", "picture.not_found", "policy.not_found"],
    ...["project.not_found", "project_role.not_found", "resource.not_found", "session.not_found"],
    ...["user_grant.not_found", "user_grant.unknown_role", "web_key.not_found"],
  ],
  meanwhile: [
    ...["app.already_active", "app.already_inactive", "app.no_secret_method", "app.wrong_kind", "request.overtaken"],
    ...["domain.already_verified", "domain.no_challenge", "message.not_failed", "message_text.sequence_mismatch"],
    ...["organization.already_active", "organization.already_inactive", "policy.already_exists"],
    ...["project.already_active", "project.already_inactive", "user.already_initialized", "user.nothing_to_verify"],
    ...["user.is_active", "user.is_inactive", "user.is_initial", "user.is_locked"],
    ...["user_grant.already_active", "user_grant.already_inactive", "web_key.rotation_under_way"],
  ],
  too_many: [
    ...["app.too_many_keys", "app.too_many_secrets", "machine.too_many_keys", "machine.too_many_tokens"],
    ...["mail_settings.too_many", "metadata.too_many"],
  ],
  in_the_past: ["app.key_expired", "machine.key_expired", "machine.token_expired"],
  id_taken: [
    ...[
      "apply.conflict",
      "app.client_id_taken",
      "app.id_taken",
      "app.key_id_taken",
      "machine.key_id_taken",
      "organization.id_taken",
    ],
    ...["project.id_taken", "user.client_id_taken", "user.id_taken"],
  ],
  too_large: ["picture.too_large", "picture.too_many_pixels", "request.too_large"],
  no_picture: ["picture.no_picture"],
  domain_added: ["domain.already_added"],
  domain_elsewhere: ["domain.verified_elsewhere"],
  domain_unverified: ["domain.not_verified"],
  domain_primary: ["domain.is_primary"],
  domain_not_proven: ["domain.not_proven"],
  login_name_clash: ["domain.login_name_taken"],
  last_owner: ["instance.last_owner"],
  not_yours_to_vouch: ["app.not_yours_to_vouch"],
  vouched_for: ["app.vouched_for"],
  default_organization: ["organization.is_default"],
  user_name_taken: ["user.already_exists"],
  user_name_foreign: ["user.domain_taken"],
  reserved_name: ["app.reserved_client_id", "project.reserved_name", "user.reserved_name"],
  no_email: ["user.email_unverified", "user.no_email"],
  not_active: ["user.not_active"],
  own_email_unverified: ["user.no_verified_email"],
  mail_not_sent: ["mail_settings.test_failed"],
  too_many_mails: ["mail.too_many", "message.too_many_trials"],
  too_much_at_once: ["access.too_many_heavy_requests"],
  lock_out: ["policy.would_lock_out"],
  lock_out_owners: ["policy.would_lock_out_owners"],
  member_exists: ["member.already_exists"],
  grant_exists: ["user_grant.already_exists"],
  role_exists: ["project_role.already_exists"],
  default_language: ["language.default_not_allowed", "language.not_allowed"],
  wrong_address: ["app.invalid_address", "mail_settings.invalid"],
  nobody: ["user.not_found"],
  // What only other callers than the console's pages can cause.
  no_address: ["address.not_found", "address.method_not_allowed"],
  no_token: ["access.audience_missing", "access.no_user", "access.token_missing"],
  no_json: [
    ...["request.encoded", "request.malformed", "request.no_body", "request.no_file", "request.no_object"],
    ...["request.not_an_object", "request.not_json", "request.repeated_member"],
  ],
  wrong_value: [
    ...["event.unknown_type", "feature.inherited", "feature.not_boolean", "feature.unknown", "language.malformed"],
    ...["language.not_supported", "member.unknown_role", "message.no_mail", "request.if_match", "request.wrong_type"],
    "request.two_organizations",
    ...["security.framing_refused", "security.not_boolean", "security.unknown", "user.no_name"],
  ],
  no_page: ["page.bad_limit", "page.bad_token"],
  other_kind: ["user.not_human", "user.not_machine"],
};

const TEXT_OF = new Map(
  Object.entries(IDS_BY_TEXT).flatMap(([key, ids]) => ids.map((id) => [id, key as TextKey] as const)),
);

/** Sentences with details from a server or a rule; they follow ours in brackets. */
const KEEPS_DETAIL: ReadonlySet<TextKey> = new Set([
  "domain_not_proven",
  "mail_not_sent",
  "wrong_address",
  "no_token",
  "no_json",
  "wrong_value",
]);

/** Why fields are refused (see directory/fields.ts, protocol/input-issues.ts, and the files named below). */
const REASONS: readonly (readonly [RegExp, ReasonKey])[] = [
  [/^is required$/, "required"],
  [/^must not be empty$/, "empty"],
  [/^at most (\d+) characters$/, "too_long"],
  [/^at least (\d+) characters$/, "too_short"],
  [/^must not contain control characters$/, "control"],
  [/^must not begin or end with blanks$/, "blanks"],
  [/^is not an e-mail address$/, "email"],
  [/^is not a domain name$/, "domain"],
  [/^must be \+ and 5 to 15 digits/, "phone"],
  [/^must be an http:\/\/ or https:\/\/ address$/, "web_address"],
  [/^must be a duration, as in/, "duration"],
  [/^must be a whole number$/, "whole_number"],
  [/^must be at least (\d+)$/, "least"],
  [/^must be at most (\d+)$/, "most"],
  [/^must be a colour/, "colour"],
  [/^at most (\d+) entries$/, "entries"],
  [/^at least one role$/, "one_role"],
  [/^must not begin or end with @$/, "at_sign"],
  [/^1 to 200 characters of A-Z a-z 0-9/, "id_characters"],
  // Addresses of apps (protocol/redirect-uri.ts, protocol/public-address.ts) and of mail servers (config-values.ts).
  [/^must have at most (\d+) characters$/, "too_long"],
  [/^must not have a fragment$/, "fragment"],
  [/^must not have a wildcard$/, "wildcard"],
  [/^must have only the characters of RFC 3986/, "uri_characters"],
  [/^must be an absolute address$/, "absolute"],
  [/^must be scheme, host and path|^must not have a user name$/, "address_parts"],
  [/^must use https(?:, unless devMode is on)?$/, "https"],
  [/^must not use this scheme/, "scheme"],
  [/^must not be an address of this machine/, "private_network"],
  [/^must be an origin, as in/, "origin"],
  [/^must be an address that starts with smtp:/, "smtp_address"],
  [/^must have port 25, 465, 587 or 2525$/, "smtp_port"],
  [/^must not have parameters$/, "no_parameters"],
  [/^must be one e-mail address/, "mailbox"],
  // Public keys (directory/public-key.ts).
  [/^must be a public key; this one is private$/, "private_key"],
  [/^is not a public key in PEM format$/, "public_key"],
  [/^must have at least (\d+) bits$/, "key_bits"],
  [/^must be RSA, P-256/, "key_kind"],
];

export const isTranslated = (id: string): boolean => TEXT_OF.has(id);

/**
 * The sentence of one problem; undefined where the operation's own stays.
 * @param message the operation's, which begins with the field's name if it is about a field
 */
export function refusalText(
  locale: string,
  { id, field, message }: { id: string; field?: string; message: string },
): string | undefined {
  const texts = refusalMessages[locale]?.by;
  if (!texts || locale === "en") return undefined;
  const key = TEXT_OF.get(id);
  if (key && !KEEPS_DETAIL.has(key)) return texts.id[key];
  const told = field !== undefined && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  const reason = field === undefined ? undefined : reasonText(locale, told);
  if (reason !== undefined) return `${field}: ${reason}`;
  return key && `${texts.id[key]} (${message})`;
}

/** The sentence of what a field is refused for; undefined where the English one is to stay. */
export function reasonText(locale: string, reason: string): string | undefined {
  const texts = refusalMessages[locale]?.by.reason;
  for (const [pattern, name] of locale === "en" ? [] : REASONS) {
    const found = pattern.exec(reason);
    if (found) return texts?.[name].replace("{n}", found[1] ?? "");
  }
  return undefined;
}

/** The error's body with its sentences in this language; ids, fields and codes stay. */
export function localizedBody(error: ApiError, language: string): ApiErrorBody {
  const { code, message, details } = apiErrorBody(error);
  const said = details.map(({ message: own, ...detail }) => {
    const told = refusalText(language, { id: detail.id, field: detail.field, message: own ?? message });
    return {
      sentence: told ?? own ?? message,
      detail: { ...detail, ...(own !== undefined && { message: told ?? own }) },
    };
  });
  return { code, message: said[0]?.sentence ?? message, details: said.map(({ detail }) => detail) };
}
