/**
 * What a change drops from the caches of all processes. A change is named by its event: the type and the id of the
 * object. Processes that share a database announce these names to each other (`announce` in storage/database.ts).
 */
import { catalogue, type EventType } from "./catalogue";

export interface ChangedObject {
  type: EventType;
  aggregateId: string;
}

/** The caches of the directory. All but the signing keys are made by `createCache`. */
export type CacheName =
  | "clientDecisions"
  | "passwordHooks"
  | "clients"
  | "defaultLanguages"
  | "discovery"
  | "emailProviders"
  | "identityProviders"
  | "instance"
  | "machines"
  | "origins"
  | "pageWords"
  | "policies"
  | "resources"
  | "signingKeys"
  | "smsProviders"
  | "targetProjects"
  | "userCounts";

/**
 * Which entries of a cache a change drops. `own`: those made of the changed object; `people`: those that depend on the
 * roles or the states of people.
 */
type Dropped = "all" | "own" | "people";
type Drops = Readonly<Partial<Record<CacheName, Dropped>>>;

/** The tag of entries that depend on people. It is no id, as ids have no spaces. */
export const PEOPLE = "of people";

const NOTHING: Drops = {};
const INSTANCE: Drops = {
  instance: "all",
  clients: "all",
  defaultLanguages: "all",
  discovery: "all",
  pageWords: "all",
};
const KEYS: Drops = { signingKeys: "all" };
const MAIL: Drops = { emailProviders: "own" };
const IDENTITY: Drops = { identityProviders: "own" };
const SMS: Drops = { smsProviders: "own" };
const MEMBERS: Drops = { pageWords: "people" };
const DOMAINS: Drops = { pageWords: "all", resources: "own" };
const USER_STATE: Drops = { machines: "all", pageWords: "people", userCounts: "all" };
/** All, because a cached absence does not say of which machine. */
const MACHINE: Drops = { machines: "all" };
const PROJECT: Drops = { clients: "own", resources: "own", targetProjects: "own" };
/** A machine is found only if no app has its client id. */
const APP: Drops = { clients: "own", machines: "all", origins: "all" };
const APP_STATE: Drops = { clients: "own", origins: "all" };
const APP_CREDENTIALS: Drops = { clients: "own" };
const POLICY: Drops = { policies: "own", discovery: "all" };
const WORDS: Drops = { pageWords: "own" };
const DECISIONS: Drops = { clientDecisions: "own" };
const HOOK: Drops = { passwordHooks: "own" };

/**
 * What each change drops. A cache that is made of other cached values is dropped with them. Tokens, sessions, users,
 * passwords and grants are not cached.
 */
export const drops: Readonly<Record<EventType, Drops>> = {
  "instance.added": { ...INSTANCE, policies: "all" },
  "instance.changed": INSTANCE,
  "instance.signing_key.added": KEYS,
  "instance.signing_key.rotated": KEYS,
  "instance.signing_key.removed": KEYS,
  "instance.email_provider.added": MAIL,
  "instance.email_provider.changed": MAIL,
  "instance.email_provider.activated": MAIL,
  "instance.email_provider.deactivated": MAIL,
  "instance.email_provider.removed": MAIL,
  "instance.sms_provider.added": SMS,
  "instance.sms_provider.changed": SMS,
  "instance.sms_provider.activated": SMS,
  "instance.sms_provider.deactivated": SMS,
  "instance.sms_provider.removed": SMS,
  "instance.identity_provider.added": IDENTITY,
  "instance.identity_provider.changed": IDENTITY,
  "instance.identity_provider.activated": IDENTITY,
  "instance.identity_provider.deactivated": IDENTITY,
  "instance.identity_provider.removed": IDENTITY,
  "instance.identity_provider.certificate_renewed": IDENTITY,
  "instance.identity_provider.credential_expiring": NOTHING,
  "instance.setup_link.created": NOTHING,
  "instance.registration_token.created": NOTHING,
  "instance.registration_token.removed": NOTHING,
  "instance.member.added": MEMBERS,
  "instance.member.removed": MEMBERS,
  "organization.added": { defaultLanguages: "own" },
  "organization.changed": { clients: "own", defaultLanguages: "own" },
  "organization.deactivated": { ...PROJECT, ...MACHINE, ...MEMBERS },
  "organization.reactivated": { ...PROJECT, ...MACHINE, ...MEMBERS },
  // Its rows are removed with it.
  "organization.removed": {
    ...INSTANCE,
    ...MACHINE,
    ...MAIL,
    ...SMS,
    ...IDENTITY,
    ...DECISIONS,
    ...HOOK,
    origins: "all",
    policies: "own",
    resources: "own",
    targetProjects: "own",
    userCounts: "all",
  },
  "organization.mail_settings.set": MAIL,
  "organization.mail_settings.removed": MAIL,
  "organization.email_provider.added": MAIL,
  "organization.email_provider.changed": MAIL,
  "organization.email_provider.activated": MAIL,
  "organization.email_provider.deactivated": MAIL,
  "organization.email_provider.removed": MAIL,
  "organization.sms_provider.added": SMS,
  "organization.sms_provider.changed": SMS,
  "organization.sms_provider.activated": SMS,
  "organization.sms_provider.deactivated": SMS,
  "organization.sms_provider.removed": SMS,
  "organization.identity_provider.added": IDENTITY,
  "organization.identity_provider.changed": IDENTITY,
  "organization.identity_provider.activated": IDENTITY,
  "organization.identity_provider.deactivated": IDENTITY,
  "organization.identity_provider.removed": IDENTITY,
  "organization.password_hook.set": HOOK,
  "organization.password_hook.removed": HOOK,
  "organization.client_decision.set": DECISIONS,
  "organization.client_decision.removed": DECISIONS,
  "organization.identity_provider.certificate_renewed": IDENTITY,
  "organization.identity_provider.credential_expiring": NOTHING,
  "organization.metadata.set": NOTHING,
  "organization.metadata.removed": NOTHING,
  "organization.domain.added": NOTHING,
  "organization.domain.challenge_created": NOTHING,
  "organization.domain.verified": DOMAINS,
  "organization.domain.primary_set": DOMAINS,
  "organization.domain.removed": DOMAINS,
  "organization.member.added": MEMBERS,
  "organization.member.changed": MEMBERS,
  "organization.member.removed": MEMBERS,
  "organization.grant_member.added": MEMBERS,
  "organization.grant_member.removed": MEMBERS,
  "user.added": NOTHING,
  "user.changed": NOTHING,
  "user.deactivated": USER_STATE,
  "user.reactivated": USER_STATE,
  "user.locked": USER_STATE,
  "user.unlocked": USER_STATE,
  "user.removed": USER_STATE,
  "user.initialization_requested": NOTHING,
  "user.invited": NOTHING,
  "user.invitation_accepted": NOTHING,
  "user.invitation_revoked": NOTHING,
  "user.password.changed": NOTHING,
  "user.password.reset_requested": NOTHING,
  "user.password.change_required": NOTHING,
  "user.password.moved": NOTHING,
  "user.registration.requested": NOTHING,
  "user.email.verification_requested": NOTHING,
  "user.phone.verification_requested": NOTHING,
  "user.trial_message.requested": NOTHING,
  "user.disowned": NOTHING,
  "user.second_factor.enrolment_started": NOTHING,
  "user.second_factor.added": NOTHING,
  "user.second_factor.removed": NOTHING,
  "user.second_factor.skipped": NOTHING,
  "user.second_factor.code_requested": NOTHING,
  "user.recovery_codes.created": NOTHING,
  "user.recovery_codes.removed": NOTHING,
  "user.recovery_code.used": NOTHING,
  "user.passkey.added": NOTHING,
  "user.passkey.renamed": NOTHING,
  "user.passkey.removed": NOTHING,
  "user.passkey.link_requested": NOTHING,
  "user.identity.linked": NOTHING,
  "user.identity.unlinked": NOTHING,
  "user.consent.given": NOTHING,
  "user.consent.withdrawn": NOTHING,
  "user.signed_in": NOTHING,
  "user.signed_out": NOTHING,
  "user.signed_out_everywhere": NOTHING,
  "user.impersonation.refused": NOTHING,
  "user.grant.revoked": NOTHING,
  "user.domain.claimed": MACHINE,
  "user.machine.added": MACHINE,
  "user.machine.changed": MACHINE,
  "user.machine.secret.set": MACHINE,
  "user.machine.secret.removed": MACHINE,
  "user.machine.key.added": NOTHING,
  "user.machine.key.changed": NOTHING,
  "user.machine.key.removed": NOTHING,
  "user.personal_access_token.added": NOTHING,
  "user.personal_access_token.removed": NOTHING,
  "user.metadata.set": NOTHING,
  "user.metadata.removed": NOTHING,
  "user.roles.granted": NOTHING,
  "user.roles.changed": NOTHING,
  "user.roles.removed": NOTHING,
  "grant.exchanged": NOTHING,
  "grant.provider_token.issued": NOTHING,
  "project.added": PROJECT,
  "project.changed": PROJECT,
  "project.deactivated": PROJECT,
  "project.reactivated": PROJECT,
  "project.role.added": NOTHING,
  "project.role.changed": NOTHING,
  "project.role.removed": NOTHING,
  "project.grant.added": NOTHING,
  "project.grant.changed": NOTHING,
  "project.grant.removed": MEMBERS,
  "project.removed": { ...PROJECT, ...MACHINE, ...MEMBERS, origins: "all" },
  "project.member.added": MEMBERS,
  "project.member.removed": MEMBERS,
  "app.added": APP,
  "app.changed": APP,
  "app.deactivated": APP_STATE,
  "app.reactivated": APP_STATE,
  "app.secret.set": APP_CREDENTIALS,
  "app.secret.removed": APP_CREDENTIALS,
  "app.secret.expiring": NOTHING,
  "app.key.added": APP_CREDENTIALS,
  "app.key.removed": APP_CREDENTIALS,
  "app.removed": APP,
  "app.introspection.not_in_audience": NOTHING,
  "app.request.refused": NOTHING,
  "app.backchannel_logout.failed": NOTHING,
  "policy.set": POLICY,
  "policy.removed": POLICY,
  "message_text.set": NOTHING,
  "message_text.kept": NOTHING,
  "message_text.removed": NOTHING,
  "login_text.set": WORDS,
  "login_text.kept": WORDS,
  "login_text.removed": WORDS,
  "text_draft.saved": NOTHING,
  "text_draft.withdrawn": NOTHING,
  "text_draft.rejected": NOTHING,
  "text_draft.approved": NOTHING,
};

/** Returns what changes drop of one cache: all entries, or those with one of these tags; undefined if nothing. */
export function droppedFrom(
  name: CacheName,
  changes: readonly ChangedObject[],
): "all" | ReadonlySet<string> | undefined {
  const tags = new Set<string>();
  for (const { type, aggregateId } of changes) {
    const dropped = drops[type][name];
    if (dropped === "all") return "all";
    if (dropped) tags.add(dropped === "people" ? PEOPLE : aggregateId);
  }
  return tags.size > 0 ? tags : undefined;
}

/** Returns the names by which changes are announced, without those that drop nothing. */
export function announced(changes: readonly ChangedObject[]): string[] {
  const dropping = changes.filter(({ type }) => drops[type] !== NOTHING);
  return [...new Set(dropping.map(({ type, aggregateId }) => `${type} ${aggregateId}`))];
}

/**
 * Parses announced names. Returns undefined, which means everything, if there are none or one is of an event that this
 * release does not know.
 */
export function readAnnounced(names: readonly string[] | undefined): readonly ChangedObject[] | undefined {
  const changes = names?.map((name) => {
    const space = name.indexOf(" ");
    return { type: name.slice(0, space), aggregateId: name.slice(space + 1) };
  });
  return changes?.every((change): change is ChangedObject => Object.hasOwn(catalogue, change.type))
    ? changes
    : undefined;
}
