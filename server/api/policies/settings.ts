/**
 * Version 2 of reading settings (rule API-10): what is in force in an organization, or on the instance, under the
 * names of that version. They are the policies of version 1 (policies.ts, label.ts), read from the same place.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { findInstance } from "../../directory/instance";
import { allowedLanguages, languagesOf } from "../../directory/policy/languages";
import { readPolicyLevels } from "../../directory/policy/policies";
import { policyDetails, unsetDetails } from "../../directory/policy/read";
import { inForce, resolvePolicy } from "../../directory/policy/resolve-policy";
import type { Details } from "../../events/record";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { type SettingsOfKind, settingsOfKinds, settingsOwner } from "./settings-schemas";

const tag = "Settings";
const OWNERS = { true: "RESOURCE_OWNER_TYPE_INSTANCE", false: "RESOURCE_OWNER_TYPE_ORG" } as const;
const resourceOwnerType = z.enum(Object.values(OWNERS));

/** Settings of version 2 that are fixed here: a domain is verified before any user name is in it (login-name.ts). */
const DOMAINS = {
  loginNameIncludesDomain: true,
  requireOrgDomainVerification: true,
  smtpSenderAddressMatchesInstanceDomain: false,
} as const;

/** What of a kind is in force. */
interface InForce {
  details: Details;
  settings: Record<string, unknown>;
}

async function inForceIn(
  ctx: Context,
  { kind, show }: SettingsOfKind,
  organizationId: string | undefined,
): Promise<InForce> {
  const { instance, organization } = await readPolicyLevels(ctx, kind, organizationId);
  const isInherited = organization === undefined;
  return {
    details: await policyDetails(ctx, kind, isInherited ? undefined : organizationId),
    settings: {
      ...show(inForce(kind, resolvePolicy(kind, [instance, organization])), ctx),
      resourceOwnerType: OWNERS[`${isInherited}`],
    },
  };
}

function settingsOperation(settings: SettingsOfKind): Operation {
  const { id, name, path, subject, shape } = settings;
  return operation(id, `GET /v2/settings/${path}`, {
    tag,
    summary: `Read ${subject}, as in force`,
    scope: { level: "organization", permission: "policy.read" },
    organizationQuery: "ctx.orgId",
    query: settingsOwner,
    answer: z.object({
      details,
      settings: z.object({ ...shape, resourceOwnerType }).meta({ id: `${name}Settings` }),
    }),
    handle: (ctx, { organizationId, query }) =>
      inForceIn(ctx, settings, query["ctx.instance"] === "true" ? undefined : organizationId) as never,
  });
}

export const settingsOperations: readonly Operation[] = [
  operation("GetGeneralSettings", "GET /v2/settings", {
    tag,
    summary: "Read the default organization and the languages",
    scope: { level: "organization", permission: "policy.read" },
    answer: z.object({
      defaultOrgId: z.string(),
      defaultOrganizationId: z.string(),
      defaultLanguage: z.string(),
      supportedLanguages: z.array(z.string()),
      allowedLanguages: z.array(z.string()),
    }),
    async handle(ctx) {
      const { defaultOrganizationId, defaultLanguage } = await findInstance(ctx);
      return {
        defaultOrgId: defaultOrganizationId ?? "",
        defaultOrganizationId: defaultOrganizationId ?? "",
        defaultLanguage,
        supportedLanguages: [...(await languagesOf(ctx))],
        allowedLanguages: [...(await allowedLanguages(ctx))],
      };
    },
  }),
  ...settingsOfKinds.map(settingsOperation),
  operation("GetDomainSettings", "GET /v2/settings/domain", {
    tag,
    summary: "Read the domain settings, which are the same for all organizations",
    scope: { level: "organization", permission: "policy.read" },
    organizationQuery: "ctx.orgId",
    query: settingsOwner,
    answer: z.object({
      details,
      settings: z
        .object({
          loginNameIncludesDomain: z.literal(DOMAINS.loginNameIncludesDomain),
          requireOrgDomainVerification: z.literal(DOMAINS.requireOrgDomainVerification),
          smtpSenderAddressMatchesInstanceDomain: z.literal(DOMAINS.smtpSenderAddressMatchesInstanceDomain),
          resourceOwnerType: z.literal(OWNERS.true),
        })
        .meta({ id: "DomainSettings" }),
    }),
    async handle(ctx) {
      return {
        details: await unsetDetails(ctx),
        settings: { ...DOMAINS, resourceOwnerType: OWNERS.true },
      };
    },
  }),
];
