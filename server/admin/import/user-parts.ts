/**
 * Adds what users have besides their row: authenticator apps, metadata, links to identity providers, passkeys. Users
 * keep what they have already, and get no notices, as they did nothing.
 */
import { decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";
import type { Context } from "../../context";
import { isTotpSecret } from "../../crypto/one-time-password";
import { changeDirectory } from "../../directory/change";
import { type IdentityProvider, listUsableProviders } from "../../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../../directory/identity-provider/links";
import { MAX_KEYS, setMetadataIn } from "../../directory/metadata";
import { importPasskeyIn } from "../../directory/user/passkey";
import { importAuthenticatorAppIn } from "../../directory/user/second-factor";
import type { TransactionContext } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { findPasskey, MAX_COUNTER, type NewPasskey } from "../../storage/factor/passkeys";
import { listFactors } from "../../storage/factor/second-factors";
import { findIdentityLink } from "../../storage/identity-provider/links";
import { readMetadataKeys } from "../../storage/metadata";
import { IMPORT_ORIGIN } from "./apply-base";
import type { MovedLink, MovedPasskey, UserParts } from "./sources/found";
import { noteLost, type Survey } from "./survey";

export interface PartsReport {
  authenticatorApps: number;
  links: number;
  passkeys: number;
  /** Why parts were not added. */
  refused: string[];
}

export interface PartsOwner {
  parts: UserParts;
  /** Undefined for a user who does not exist yet, in a dry run. */
  user: { id: string; organizationId: string } | undefined;
  /** The name of the user in reports. */
  name: string;
}

export interface PartsOptions {
  dryRun: boolean;
  survey: Survey;
  /** The domain of passkeys if the file does not contain it. */
  passkeyDomain?: string;
}

const APP_NAME = "Authenticator app";
const PASSKEY_NAME = "Passkey";
/** Milliseconds. */
const MAX_DURATION = 120_000;

/** What can be added to a user. */
interface Plan {
  owner: PartsOwner;
  totp?: string;
  links: { externalId: string; userName: string; provider: Pick<IdentityProvider, "id" | "name"> }[];
  passkeys: Omit<NewPasskey, "userId">[];
}

/** @param organizationId undefined in a dry run for an organization that does not exist yet */
export async function importParts(
  ctx: Context,
  organizationId: string | undefined,
  owners: readonly PartsOwner[],
  options: PartsOptions,
): Promise<PartsReport> {
  const report: PartsReport = { authenticatorApps: 0, links: 0, passkeys: 0, refused: [] };
  const extended = owners.filter(({ parts: { totp, metadata, links = [], passkeys = [] } }) =>
    Boolean(totp ?? metadata ?? links[0] ?? passkeys[0]),
  );
  if (extended.length === 0) return report;
  const providers = await listKnownProviders(ctx, organizationId, options);
  const plans: Plan[] = [];
  for (const owner of extended) plans.push(await planOf(ctx, owner, providers, options, report));
  if (options.dryRun) {
    for (const { totp, links, passkeys } of plans) {
      report.authenticatorApps += Number(totp !== undefined);
      report.links += links.length;
      report.passkeys += passkeys.length;
    }
    return report;
  }
  const add = async (ctx: TransactionContext) => {
    for (const plan of plans) await addPlanned(ctx, plan, report);
  };
  await changeDirectory(ctx, add, { timeout: MAX_DURATION });
  return report;
}

type KnownProvider = Pick<IdentityProvider, "id" | "name" | "kind">;

/** The providers of the organization and of the service; in a dry run also those that would be added. */
async function listKnownProviders(
  ctx: Context,
  organizationId: string | undefined,
  { dryRun, survey }: PartsOptions,
): Promise<readonly KnownProvider[]> {
  const stored = await listUsableProviders(ctx, organizationId);
  if (!dryRun) return stored;
  const drafts = [...survey.organizations.values()].flatMap(({ lists }) => lists.identityProviders ?? []);
  const wanted = drafts.map((draft) => ({ id: "", kind: "oidc" as const, name: (draft as { name: string }).name }));
  return [...stored, ...wanted];
}

/** Returns what the user lacks. */
async function planOf(
  ctx: Context,
  owner: PartsOwner,
  providers: readonly KnownProvider[],
  options: PartsOptions,
  report: PartsReport,
): Promise<Plan> {
  const { survey } = options;
  const { parts, user, name } = owner;
  const plan: Plan = { owner, links: [], passkeys: [] };
  if (parts.totp !== undefined && !isTotpSecret(parts.totp)) {
    report.refused.push(`${name}: the secret of the authenticator app is wrong`);
  } else if (parts.totp !== undefined && !(await hasAuthenticatorApp(ctx, user))) plan.totp = parts.totp;
  for (const link of parts.links ?? []) {
    const provider = providerOf(link, survey, providers);
    if (!provider) {
      const why = "there is no identity provider of that name: add it, and import again";
      noteLost(survey, `links to ${survey.providerNames.get(link.provider) ?? link.provider}`, why);
      continue;
    }
    const { externalId, userName = externalId } = link;
    const stored = await findIdentityLink(ctx.db, provider.id, externalId);
    if (stored && stored.userId === user?.id) continue;
    if (stored) report.refused.push(`${name}: the account ${externalId} of ${provider.name} is linked to another user`);
    else plan.links.push({ externalId, userName: userName.slice(0, 200), provider });
  }
  for (const passkey of parts.passkeys ?? []) {
    const why = whyNotUsable(ctx, passkey, options);
    const row = passkeyRow(passkey);
    const stored = why === undefined ? await findPasskey(ctx.db, row.id) : undefined;
    if (why !== undefined) noteLost(survey, "passkeys", why);
    else if (!stored) plan.passkeys.push(row);
    else if (stored.userId !== user?.id) report.refused.push(`${name}: the passkey ${row.name} is another user's`);
  }
  return plan;
}

async function hasAuthenticatorApp({ db }: Context, user: PartsOwner["user"]): Promise<boolean> {
  return user !== undefined && (await listFactors(db, user.id)).some(({ kind }) => kind === "totp");
}

/** Finds the provider by its name, or the only one of its kind. */
function providerOf({ provider, kind }: MovedLink, { providerNames }: Survey, known: readonly KnownProvider[]) {
  const names = [providerNames.get(provider), provider].map((name) => name?.toLowerCase());
  const named = known.find(({ name }) => names.includes(name.toLowerCase()));
  const [first, second] = known.filter((one) => one.kind === kind);
  return named ?? (second ? undefined : first);
}

/** Browsers use a passkey only for the domain (RP ID) for which it was made: WebAuthn Level 3 §5.1.4.1 step 8. */
function whyNotUsable(
  { config }: Context,
  { isPasswordless, publicKey }: MovedPasskey,
  { survey, passkeyDomain }: PartsOptions,
): string | undefined {
  const own = new URL(config.baseUrl).hostname;
  const domain = survey.passkeyDomains.get(isPasswordless) || passkeyDomain;
  if (domain === undefined)
    return "their domain is not in the file: add --passkey-domain <host name of the old service>";
  if (domain !== own) return `they belong to ${domain}, and this service is at ${own}`;
  return isKey(publicKey) ? undefined : "their public key is not a COSE key";
}

function isKey(publicKey: string): boolean {
  try {
    // 1: the type of the key, 3: its algorithm (RFC 9052 §7.1).
    const key = decodeCredentialPublicKey(new Uint8Array(Buffer.from(publicKey, "base64")));
    return key.get(1) !== undefined && key.get(3) !== undefined;
  } catch {
    return false;
  }
}

function passkeyRow({ id, publicKey, name, transports, aaguid, ...passkey }: MovedPasskey): Plan["passkeys"][number] {
  const url = (text: string) => Buffer.from(text, "base64").toString("base64url");
  return {
    id: url(id),
    name: (name ?? PASSKEY_NAME).slice(0, 100),
    publicKey: url(publicKey),
    counter: Math.min(Math.max(passkey.counter, 0), MAX_COUNTER),
    transports: transports.join(" "),
    aaguid,
    isMultiDevice: false,
    isBackedUp: false,
    isUserVerified: passkey.isPasswordless,
  };
}

async function addPlanned(
  ctx: TransactionContext,
  { owner, totp, links, passkeys }: Plan,
  report: PartsReport,
): Promise<void> {
  const { user, name, parts } = owner;
  if (!user) return;
  if (totp !== undefined) {
    const added = await importAuthenticatorAppIn({ ...ctx, origin: IMPORT_ORIGIN }, user, {
      secret: totp,
      name: APP_NAME,
    });
    report.authenticatorApps += Number(added);
  }
  for (const { provider, ...link } of links) {
    const wanted = { ...link, providerId: provider.id, providerName: provider.name, isSilent: true };
    const added = await linkIdentityIn({ ...ctx, origin: IMPORT_ORIGIN }, user, wanted);
    if (isApiError(added)) report.refused.push(`${name}: link to ${provider.name}: ${added.message}`);
    else report.links++;
  }
  for (const passkey of passkeys) {
    report.passkeys += Number(await importPasskeyIn({ ...ctx, origin: IMPORT_ORIGIN }, user, passkey));
  }
  await addMetadata(ctx, owner, parts.metadata, report);
}

async function addMetadata(
  ctx: TransactionContext,
  { user, name }: PartsOwner,
  metadata: UserParts["metadata"],
  report: PartsReport,
): Promise<void> {
  if (!user || metadata === undefined) return;
  const owner = { kind: "user", id: user.id, organizationId: user.organizationId } as const;
  const keys = await readMetadataKeys(ctx.tx, owner);
  const missing = Object.entries(metadata).filter(([key]) => !keys.includes(key));
  const free = Math.max(0, MAX_KEYS - keys.length);
  for (const [key, text] of missing.slice(0, free)) {
    const value = Buffer.from(text).toString("base64url");
    await setMetadataIn({ ...ctx, origin: IMPORT_ORIGIN }, owner, { key, value });
  }
  for (const [key] of missing.slice(free)) {
    report.refused.push(`${name}: metadata ${key}: a user has ${MAX_KEYS} keys at most`);
  }
}
