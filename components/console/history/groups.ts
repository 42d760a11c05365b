// Event types in groups for the filter, by their names or first segments. Every type is in exactly one group; a test
// compares them with the catalogue.

/** The groups; each has a name, `history.by.group.<group>`. */
export const EVENT_GROUPS = {
  signing_in: [
    "user.signed_in",
    "user.signed_out",
    "user.signed_out_everywhere",
    "user.consent",
    "user.grant",
    "user.impersonation",
    "grant",
    "app.backchannel_logout",
    "app.introspection",
    "app.request",
  ],
  passwords: ["user.password"],
  second_steps: ["user.second_factor", "user.recovery_codes", "user.recovery_code", "user.passkey"],
  people: [
    "user.added",
    "user.changed",
    "user.deactivated",
    "user.reactivated",
    "user.locked",
    "user.unlocked",
    "user.disowned",
    "user.removed",
    "user.initialization_requested",
    "user.invited",
    "user.invitation_accepted",
    "user.invitation_revoked",
    "user.registration",
    "user.email",
    "user.phone",
    "user.trial_message",
    "user.domain",
    "user.metadata",
    "user.identity",
  ],
  machines: ["user.machine", "user.personal_access_token"],
  roles: [
    "user.roles",
    "project.role",
    "project.grant",
    "project.member",
    "organization.member",
    "organization.grant_member",
    "instance.member",
  ],
  projects: ["project.added", "project.changed", "project.deactivated", "project.reactivated", "project.removed"],
  apps: ["app.added", "app.changed", "app.deactivated", "app.reactivated", "app.removed", "app.secret", "app.key"],
  policies: ["policy"],
  texts: ["message_text", "login_text", "text_draft"],
  delivery: [
    "instance.email_provider",
    "instance.sms_provider",
    "organization.email_provider",
    "organization.sms_provider",
    "organization.mail_settings",
  ],
  organizations: [
    "organization.added",
    "organization.changed",
    "organization.deactivated",
    "organization.reactivated",
    "organization.removed",
    "organization.domain",
    "organization.metadata",
    "organization.identity_provider",
    "organization.client_decision",
    "organization.password_hook",
  ],
  service: [
    "instance.added",
    "instance.changed",
    "instance.signing_key",
    "instance.registration_token",
    "instance.setup_link",
    "instance.identity_provider",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EventGroup = keyof typeof EVENT_GROUPS;
export const groups = Object.keys(EVENT_GROUPS) as EventGroup[];

/**
 * Returns the types that a filter searches for.
 * @param wanted a group, an event type or the first segments of one
 */
export function typesOf(wanted: string): readonly string[] {
  const group = groups.find((name) => name === wanted);
  return group ? EVENT_GROUPS[group] : [wanted];
}
