/**
 * All types of events and the fields they may have. Only these fields are recorded: passwords, their hashes, secrets
 * and digests are not among them, so a caller that passes a whole row cannot leak them into the audit trail.
 */

/** JSON as it is stored in an event. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };

const PERSON = [
  "userName",
  "firstName",
  "lastName",
  "nickName",
  "displayName",
  "preferredLanguage",
  "gender",
  "claims",
  "address",
  "email",
  "isEmailVerified",
  "phone",
  "isPhoneVerified",
] as const;
const MACHINE = ["userName", "name", "description", "accessTokenType", "legacyAssertionAudience", "jwksUri"] as const;
const PROJECT = [
  "name",
  "projectRoleAssertion",
  "projectRoleCheck",
  "hasProjectCheck",
  "scopes",
  "rolesClaim",
  "resources",
] as const;
const MAIL_PROVIDER = ["providerId", "host", "port", "user", "sender", "replyTo", "description"] as const;
const SMS_PROVIDER = ["providerId", "kind", "host", "sender", "description"] as const;
const TEXT = ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"] as const;

/** The first part of each dotted name is the type of the aggregate, the last part is what happened to it. */
export const catalogue = {
  "instance.added": ["defaultLanguage"],
  "instance.changed": [
    "defaultLanguage",
    "defaultOrganizationId",
    "features",
    "security",
    "tokenLifetimes",
    "codeLifetimes",
  ],
  "instance.signing_key.added": ["algorithm", "keyId"],
  "instance.signing_key.rotated": ["algorithm", "keyId", "activeFrom"],
  "instance.signing_key.removed": ["algorithm", "keyId"],
  "instance.email_provider.added": MAIL_PROVIDER,
  "instance.email_provider.changed": MAIL_PROVIDER,
  "instance.email_provider.activated": ["providerId"],
  "instance.email_provider.deactivated": ["providerId"],
  "instance.email_provider.removed": ["providerId"],
  "instance.sms_provider.added": SMS_PROVIDER,
  "instance.sms_provider.changed": SMS_PROVIDER,
  "instance.sms_provider.activated": ["providerId"],
  "instance.sms_provider.deactivated": ["providerId"],
  "instance.sms_provider.removed": ["providerId"],
  "instance.setup_link.created": ["expiresAt"],
  "instance.member.added": ["userId", "role"],
  "instance.member.removed": ["userId", "role"],
  "organization.added": ["name", "defaultLanguage"],
  "organization.changed": ["name", "defaultLanguage"],
  "organization.deactivated": [],
  "organization.reactivated": [],
  "organization.removed": ["name"],
  // Recorded while an organization could have only one mail server.
  "organization.mail_settings.set": ["host", "port", "user", "sender"],
  "organization.mail_settings.removed": [],
  "organization.email_provider.added": MAIL_PROVIDER,
  "organization.email_provider.changed": MAIL_PROVIDER,
  "organization.email_provider.activated": ["providerId"],
  "organization.email_provider.deactivated": ["providerId"],
  "organization.email_provider.removed": ["providerId"],
  "organization.sms_provider.added": SMS_PROVIDER,
  "organization.sms_provider.changed": SMS_PROVIDER,
  "organization.sms_provider.activated": ["providerId"],
  "organization.sms_provider.deactivated": ["providerId"],
  "organization.sms_provider.removed": ["providerId"],
  "organization.domain.added": ["domain"],
  "organization.domain.challenge_created": ["domain", "challengeType"],
  "organization.domain.verified": ["domain"],
  "organization.domain.primary_set": ["domain"],
  "organization.domain.removed": ["domain"],
  "organization.member.added": ["userId", "role", "languages"],
  "organization.member.changed": ["userId", "role", "languages"],
  "organization.member.removed": ["userId", "role"],
  "user.added": PERSON,
  "user.changed": PERSON,
  "user.deactivated": [],
  "user.reactivated": [],
  "user.locked": ["reason"],
  "user.unlocked": [],
  "user.removed": ["userName"],
  "user.initialization_requested": ["email"],
  "user.invited": ["email", "applicationName"],
  "user.invitation_accepted": [],
  "user.invitation_revoked": [],
  "user.password.changed": [],
  "user.password.reset_requested": [],
  "user.password.change_required": [],
  "user.registration.requested": ["email"],
  "user.email.verification_requested": ["email"],
  "user.phone.verification_requested": ["phone"],
  "user.trial_message.requested": ["messageType", "language"],
  "user.disowned": ["notice"],
  "user.second_factor.enrolment_started": ["kind"],
  "user.second_factor.added": ["kind"],
  "user.second_factor.removed": ["kind"],
  "user.second_factor.skipped": ["forever"],
  "user.second_factor.code_requested": [],
  "user.recovery_codes.created": [],
  "user.recovery_codes.removed": [],
  "user.recovery_code.used": ["left"],
  "user.passkey.added": ["name", "aaguid", "isMultiDevice"],
  "user.passkey.renamed": ["name"],
  "user.passkey.removed": ["name"],
  "user.passkey.link_requested": ["isMailed"],
  "user.consent.given": ["clientId", "scope"],
  "user.consent.withdrawn": ["clientId"],
  "user.signed_in": ["sessionId", "amr", "address", "device"],
  "user.signed_out": ["sessionId"],
  "user.signed_out_everywhere": [],
  "user.impersonation.refused": ["actors", "clientId", "reason"],
  "user.grant.revoked": ["grantId", "clientId", "reason"],
  "user.domain.claimed": ["domain", "userName"],
  "user.machine.added": MACHINE,
  "user.machine.changed": MACHINE,
  "user.machine.secret.set": [],
  "user.machine.secret.removed": [],
  "user.machine.key.added": ["keyId", "expiresAt"],
  "user.machine.key.changed": ["keyId", "expiresAt"],
  "user.machine.key.removed": ["keyId"],
  "user.personal_access_token.added": ["tokenId", "expiresAt"],
  "user.personal_access_token.removed": ["tokenId"],
  "user.metadata.set": ["key"],
  "user.metadata.removed": ["key"],
  "user.roles.granted": ["projectId", "organizationId", "roleKeys"],
  "user.roles.changed": ["projectId", "organizationId", "roleKeys", "state"],
  "user.roles.removed": ["projectId", "organizationId", "roleKeys"],
  "grant.exchanged": [
    "userId",
    "clientId",
    "actors",
    "subjectTokenType",
    "actorTokenType",
    "requestedTokenType",
    "scope",
    "audience",
  ],
  "project.added": PROJECT,
  "project.changed": PROJECT,
  "project.deactivated": [],
  "project.reactivated": [],
  "project.role.added": ["roleKey", "displayName", "group"],
  "project.role.changed": ["roleKey", "displayName", "group"],
  "project.role.removed": ["roleKey"],
  "project.grant.added": ["grantId", "grantedOrganizationId", "roleKeys"],
  "project.grant.changed": ["grantId", "grantedOrganizationId", "roleKeys", "state"],
  "project.grant.removed": ["grantId", "grantedOrganizationId", "roleKeys"],
  "project.removed": ["name"],
  "project.member.added": ["userId", "role"],
  "project.member.removed": ["userId", "role"],
  "app.added": ["name", "kind", "clientId", "settings", "jwks"],
  "app.changed": ["name", "clientId", "settings", "jwks"],
  "app.deactivated": [],
  "app.reactivated": [],
  "app.secret.set": ["secretId", "expiresAt"],
  "app.secret.expiring": ["secretId", "expiresAt"],
  "app.secret.removed": ["secretId"],
  "app.key.added": ["keyId", "expiresAt"],
  "app.key.removed": ["keyId"],
  "app.removed": ["name", "clientId"],
  "app.introspection.not_in_audience": ["clientId", "scope"],
  "app.request.refused": ["error", "reason", "count"],
  "app.backchannel_logout.failed": ["sessionId", "userId", "reason"],
  "policy.set": ["kind", "settings"],
  "policy.removed": ["kind", "settings"],
  "message_text.set": [...TEXT, "userId"],
  "message_text.kept": ["fields"],
  "message_text.removed": TEXT,
  "login_text.set": ["words", "userId"],
  "login_text.kept": ["fields"],
  "login_text.removed": ["words"],
  "text_draft.saved": [...TEXT, "words"],
  "text_draft.withdrawn": ["userId"],
  "text_draft.rejected": ["userId", "comment"],
  "text_draft.approved": ["userId"],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof catalogue;
export type EventField<Type extends EventType> = (typeof catalogue)[Type][number];
/** The values in an "added" event, the result of `difference` in a "changed" one. */
export type EventPayload<Type extends EventType> = { readonly [Field in EventField<Type>]?: Json };

type FirstPart<Name extends string> = Name extends `${infer First}.${string}` ? First : Name;
export type AggregateType = FirstPart<EventType>;

export function aggregateTypeOf<Type extends EventType>(type: Type): FirstPart<Type> {
  return type.slice(0, type.indexOf(".")) as FirstPart<Type>;
}

/** Returns the fields of a payload that the catalogue lists; all others are dropped. */
export function pickPayload<Type extends EventType>(type: Type, payload: EventPayload<Type>): Record<string, Json> {
  const given: Readonly<Record<string, Json>> = payload;
  const fields: readonly string[] = catalogue[type];
  return Object.fromEntries(fields.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]));
}
