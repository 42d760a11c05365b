/** Adds and changes identity providers. They are active at once, and used where a login policy offers them. */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId } from "../../crypto/random";
import { type ChangeContext, type Details, type OriginContext, recordIn, UNCHANGED } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { IdentityProviderKind, IdentityProviderSettings } from "../../protocol/identity-provider";
import { reason } from "../../protocol/reason";
import { deleteProviderTokens } from "../../storage/identity-provider/provider-tokens";
import {
  countIdentityProviders,
  deleteIdentityProvider,
  findIdentityProviderRow,
  type IdentityProviderRow,
  insertIdentityProvider,
  readIdentityProvider,
  updateIdentityProvider,
} from "../../storage/identity-provider/providers";
import { lockInstanceRow } from "../../storage/instance/instance";
import { lockOrganization } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { noSuchOrganization } from "../not-found";
import { checkPrivilegeOverMessages, type ProviderOwner } from "../provider/channel";
import { isSameProvider, type ReadProvider, secretField, wrongIdentityProvider } from "./forms";
import { MAX_IDENTITY_PROVIDERS, noIdentityProvider, tooManyIdentityProviders } from "./identity-provider";
import { checkMayMapRoles, givesRoles } from "./mapping";
import { withdrawProviderIn } from "./offered";
import { withOwnKey } from "./saml-keys";
import { certificatesEnd, readCheckedProviderForm } from "./saml-metadata";
import { checkTokenClients, issuedBy, keepsTokens } from "./tokens";

type Does = "added" | "changed" | "activated" | "deactivated" | "removed";

/** Returns the common fields of all events about a provider. */
function about<What extends Does>({ level, ownerId }: ProviderOwner, does: What) {
  const type = `${level}.identity_provider.${does}` as const;
  return { type, object: { id: ownerId, organizationId: ownerId } };
}

function audited(providerId: string, kind: string, { name, settings, options }: ReadProvider) {
  const { metadataXml, fetchedXml: _, ...rest } = settings;
  const metadata = metadataXml === undefined ? {} : { metadataDigest: digest(metadataXml) };
  return { providerId, kind, name, settings: { ...rest, ...metadata }, options: { ...options } };
}

/**
 * Adds a provider. The caller needs the permissions of all users whom it may sign in, as for a mail server that their
 * codes pass (attack: a settings manager who signs in as an owner by a provider of their own).
 */
export async function addIdentityProvider(
  ctx: OriginContext,
  owner: ProviderOwner,
  kind: IdentityProviderKind,
  given: unknown,
): Promise<{ id: string; details: Details } | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner);
  if (refusal) return refusal;
  const read = await checkTokenClients(ctx, owner, await readCheckedProviderForm(ctx, kind, given));
  if (isApiError(read)) return read;
  const complete = await withOwnKey(ctx, kind, read);
  return changeDirectory(ctx, (ctx) => addIdentityProviderIn(ctx, owner, kind, complete));
}

/**
 * Adds a provider. The caller has checked the settings and the permissions.
 * @param how.secretMayBeMissing for a provider from an export; sign-ins by it fail until its secret is entered
 */
export async function addIdentityProviderIn(
  ctx: ChangeContext,
  owner: ProviderOwner,
  kind: IdentityProviderKind,
  read: ReadProvider,
  how: { secretMayBeMissing?: boolean } = {},
): Promise<{ id: string; details: Details } | ApiError> {
  const { level, ownerId } = owner;
  if (level === "instance") await lockInstanceRow(ctx.db, ctx.tx);
  else if (!(await lockOrganization(ctx.db, ctx.tx, ownerId))) return noSuchOrganization();
  if ((await countIdentityProviders(ctx.tx, ownerId)) >= MAX_IDENTITY_PROVIDERS) return tooManyIdentityProviders();
  const missing = missingSecret(kind, read.settings, read.secret);
  if (missing && !how.secretMayBeMissing) return missing;
  const id = newId();
  const details = await recordIn(ctx, {
    ...about(owner, "added"),
    async state(_, now) {
      const { name, settings, options } = read;
      const changedBy = await answerableFor(ctx);
      const sealedSecret = sealed(ctx, read.secret);
      const row = { id, ownerId, kind, name, state: "active" as const, settings, options, sealedSecret, changedBy };
      await insertIdentityProvider(ctx.tx, { ...row, ...endsOf(settings) }, now);
      return { payload: audited(id, kind, read) };
    },
  });
  return { id, details };
}

const sealed = (ctx: Context, secret: string | undefined) =>
  secret === undefined ? null : ctx.secrets.seal("identity-provider", secret);

const endsOf = (settings: IdentityProviderSettings) => ({
  certificateExpiresAt: certificatesEnd(settings),
  secretExpiresAt: settings.clientSecretExpiresAt === undefined ? null : Date.parse(settings.clientSecretExpiresAt),
});

/** Only a public client of a generic provider has no secret; then PKCE is what binds its code. */
export function missingSecret(
  kind: IdentityProviderKind,
  { usePkce = true }: IdentityProviderSettings,
  secret: string | null | undefined,
): ApiError | undefined {
  if (secret !== undefined && secret !== null) return undefined;
  if ((kind === "oidc" || kind === "oauth") && usePkce) return undefined;
  return wrongIdentityProvider(secretField(kind), reason("required"));
}

/** Replaces the settings of a provider. @param kind undefined: that of the stored provider */
export async function changeIdentityProvider(
  ctx: OriginContext,
  owner: ProviderOwner,
  { id, kind }: { id: string; kind?: IdentityProviderKind },
  given: unknown,
): Promise<Details | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner);
  if (refusal) return refusal;
  const mapper = await checkMayMapRoles(ctx, ctx.origin.actor, owner);
  const stored = await findIdentityProviderRow(ctx.db, id);
  if (stored?.ownerId !== owner.ownerId || (kind !== undefined && stored.kind !== kind)) return noIdentityProvider();
  const form = await readCheckedProviderForm(ctx, stored.kind as IdentityProviderKind, given);
  const read = await checkTokenClients(ctx, owner, form);
  if (isApiError(read)) return read;
  return changeDirectory(ctx, async (ctx) => {
    const row = await readIdentityProvider(ctx.tx, owner.ownerId, id);
    if (!row) return noIdentityProvider();
    return givesRoles(row) && mapper ? mapper : changeIdentityProviderIn(ctx, owner, row, read);
  });
}

/** Replaces the settings of a provider. The caller has checked the settings and the permissions. */
export async function changeIdentityProviderIn(
  ctx: ChangeContext,
  owner: ProviderOwner,
  row: IdentityProviderRow,
  read: ReadProvider,
): Promise<Details | ApiError> {
  const kind = row.kind as IdentityProviderKind;
  const isKept = read.secret === undefined && row.sealedSecret !== null;
  // Attack: naming another server, which then receives the secret.
  if (isKept && !isSameProvider(row.settings, read.settings)) {
    return wrongIdentityProvider(secretField(kind), reason("token_bound"));
  }
  const missing = isKept ? undefined : missingSecret(kind, read.settings, read.secret);
  if (missing) return missing;
  return recordIn(ctx, {
    ...about(owner, "changed"),
    async state(_, now) {
      const { name, settings, options } = read;
      const changedBy = await answerableFor(ctx);
      const sealedSecret = isKept ? row.sealedSecret : sealed(ctx, read.secret);
      const changed = { name, settings, options, sealedSecret, ...endsOf(settings), changedBy };
      await updateIdentityProvider(ctx.tx, row.id, changed, now);
      const isSameClient = issuedBy(row.settings) === issuedBy(settings);
      if (!keepsTokens(options) || !isSameClient) await deleteProviderTokens(ctx.tx, row.id);
      return { payload: audited(row.id, kind, read) };
    },
  });
}

/** Activates or deactivates a provider; its links stay. Nothing is recorded if it has that state already. */
export async function setIdentityProviderState(
  ctx: OriginContext,
  owner: ProviderOwner,
  id: string,
  state: "active" | "inactive",
): Promise<Details | ApiError> {
  const refusal = state === "active" ? await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner) : undefined;
  if (refusal) return refusal;
  return changeDirectory(ctx, (ctx) => setIdentityProviderStateIn(ctx, owner, id, state));
}

/** Activates or deactivates a provider. The caller has checked the permissions. */
export async function setIdentityProviderStateIn(
  ctx: ChangeContext,
  owner: ProviderOwner,
  id: string,
  state: "active" | "inactive",
): Promise<Details | ApiError> {
  const row = await readIdentityProvider(ctx.tx, owner.ownerId, id);
  if (!row) return noIdentityProvider();
  return recordIn(ctx, {
    ...about(owner, state === "active" ? "activated" : "deactivated"),
    async state(_, now) {
      if (row.state === state) return UNCHANGED;
      await updateIdentityProvider(ctx.tx, id, { state }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Removes a provider with its secret and its links, and withdraws it from its owner's login policy. */
export function removeIdentityProvider(
  ctx: OriginContext,
  owner: ProviderOwner,
  id: string,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    if (!(await readIdentityProvider(ctx.tx, owner.ownerId, id))) return noIdentityProvider();
    await withdrawProviderIn(ctx, owner, id);
    return recordIn(ctx, {
      ...about(owner, "removed"),
      async state() {
        await deleteIdentityProvider(ctx.tx, id);
        return { payload: { providerId: id } };
      },
    });
  });
}
