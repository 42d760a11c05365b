/** Converts rows into entries of the bootstrap file: the reverse of applying it. */
import { createPublicKey, type JsonWebKey } from "node:crypto";
import { DECISION_KINDS, DECISIONS } from "../directory/client-decision/names";
import { type IdentityProviderKind, providerKinds } from "../protocol/identity-provider";
import type { IdentityProviderRow } from "../storage/identity-provider/providers";
import type { ExportedApp, ExportedDecision, ExportedUser } from "../storage/maintenance/export";

export interface Where {
  instanceId: string;
  organizationId: string;
  /** The names of the providers that may sign users in, by their ids. */
  providers: ReadonlyMap<string, string>;
}

/** Omits members that are null, undefined, or an empty list or object. */
export function present(entry: object): object {
  const isTranslated = (value: unknown) =>
    value !== undefined && value !== null && (typeof value !== "object" || Object.keys(value).length > 0);
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => isTranslated(value)));
}

export function personEntry(row: ExportedUser, where: Where): object {
  const { firstName, lastName, nickName, displayName, preferredLanguage, gender } = row;
  return present({
    id: row.id,
    userName: row.userName,
    profile: present({ firstName, lastName, nickName, displayName, preferredLanguage, gender }),
    claims: row.claims,
    address: row.address,
    email: row.email === null ? undefined : { email: row.email, isEmailVerified: row.isEmailVerified },
    phone: row.phone === null ? undefined : { phone: row.phone, isPhoneVerified: row.isPhoneVerified },
    idpLinks: row.identityLinks.flatMap(({ providerId, externalId: userId, userName }) => {
      const idpName = where.providers.get(providerId);
      return idpName === undefined ? [] : [{ idpName, userId, userName }];
    }),
    roles: rolesOf(row, where),
    roleLanguages: roleLanguagesOf(row, where),
    metadata: textMetadataOf(row),
  });
}

export function machineEntry(row: ExportedUser, where: Where): object {
  return present({
    id: row.id,
    userName: row.userName,
    name: row.name,
    description: row.description,
    accessTokenType: row.accessTokenType && `ACCESS_TOKEN_TYPE_${row.accessTokenType.toUpperCase()}`,
    legacyAssertionAudience: row.legacyAssertionAudience || undefined,
    jwksUri: row.jwksUri,
    keys: row.machineKeys.map(keyEntry),
    roles: rolesOf(row, where),
    roleLanguages: roleLanguagesOf(row, where),
    metadata: textMetadataOf(row),
  });
}

/** Expired keys are omitted, so that an import does not restore them. */
export function appEntry(row: ExportedApp, now: number): object {
  const keys = row.keys.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now).map(keyEntry);
  const settings = present({ clientId: row.clientId, jwks: row.jwks, keys });
  const trust = { ...(row.isTrusted && { trusted: true }), ...(row.mayManage && { allowManagementApi: true }) };
  return { id: row.id, name: row.name, [row.kind]: { ...settings, ...(row.settings as object), ...trust } };
}

/** Without its secret: where the provider exists, applying the file keeps the stored one. */
export function providerEntry(
  { name, kind, state, settings, options, mapping }: IdentityProviderRow,
  isOffered: boolean,
): object {
  const { fetchedXml: _, ...own } = settings;
  const roles = mapping?.roles?.map(({ projectGrantId: __, ...rule }) => rule);
  return {
    name,
    [providerKinds[kind as IdentityProviderKind].member]: own,
    providerOptions: options,
    ...(mapping && { mapping: { ...mapping, ...(roles && { roles }) } }),
    ...(!isOffered && { offered: false }),
    ...(state !== "active" && { active: false }),
  };
}

export const decisionEntry = ({ kind, value, decision }: ExportedDecision): object => ({
  kind: DECISION_KINDS[kind as keyof typeof DECISION_KINDS],
  value,
  decision: DECISIONS[decision as keyof typeof DECISIONS],
});

function keyEntry({
  id,
  publicJwk,
  expiresAt,
}: Pick<ExportedUser["machineKeys"][number], "id" | "publicJwk" | "expiresAt">): object {
  const publicKey = createPublicKey({ key: publicJwk as JsonWebKey, format: "jwk" });
  return present({
    keyId: id,
    publicKey: publicKey.export({ type: "spki", format: "pem" }),
    expirationDate: expiresAt?.toISOString(),
  });
}

/** Returns roles on the instance and on the user's own organization; the format has no others. */
function rolesOf({ memberships }: ExportedUser, { instanceId, organizationId }: Where): string[] {
  return memberships
    .filter(({ level, levelId }) =>
      level === "instance" ? levelId === instanceId : level === "organization" && levelId === organizationId,
    )
    .map(({ role }) => role);
}

/** Returns the languages that the roles for texts are limited to in the user's own organization. */
function roleLanguagesOf({ memberships }: ExportedUser, { organizationId }: Where): string[] | undefined {
  const own = memberships.find(({ levelId, languages }) => levelId === organizationId && languages !== null);
  return own?.languages as string[] | undefined;
}

/** Returns only text values, as the format has no others. */
export function textMetadataOf({
  metadata,
}: {
  metadata: readonly { key: string; value: string }[];
}): Record<string, string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return Object.fromEntries(
    metadata.flatMap(({ key, value }) => {
      try {
        return [[key, decoder.decode(Buffer.from(value, "base64url"))]];
      } catch {
        return [];
      }
    }),
  );
}
