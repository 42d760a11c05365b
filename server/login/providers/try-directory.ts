/**
 * Tries the settings of an LDAP directory that are not saved yet: signs in as the service, and shows the entry of a
 * sample user. No password of a user is checked. It needs the permissions of saving the settings, and is limited, as
 * the answer says what a server does.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import {
  isSameProvider,
  readIdentityProviderForm,
  wrongIdentityProvider,
} from "../../directory/identity-provider/forms";
import { findReadableProvider, noIdentityProvider } from "../../directory/identity-provider/identity-provider";
import { checkPrivilegeOverMessages, type ProviderOwner } from "../../directory/provider/channel";
import { type ApiError, failedPrecondition, isApiError, resourceExhausted } from "../../protocol/api-error";
import type { DirectorySettings } from "../../protocol/identity-provider";
import { reason } from "../../protocol/reason";
import { counter, countFailures, limits, minutesUntil } from "../../throttle";
import { askDirectory } from "./directory";
import { identityOf, type ProvenIdentity } from "./identity";

export interface DirectoryTrial {
  /** The settings, as they are saved. */
  given: unknown;
  /** A saved directory whose password is used if none is given, for the same servers. */
  id?: string;
  /** The name of a sample user. */
  loginName?: string;
}

export interface TriedDirectory {
  /** Undefined if no sample user was asked for. */
  user?: Omit<ProvenIdentity, "providerId" | "amr"> & { dn: string; groups: readonly string[] };
}

/** @param callerId the user who needs the permissions */
export async function tryDirectory(
  ctx: Context,
  owner: ProviderOwner,
  callerId: string,
  { given, id, loginName = "" }: DirectoryTrial,
): Promise<TriedDirectory | ApiError> {
  const read = readIdentityProviderForm(ctx, "ldap", given);
  if (isApiError(read)) return read;
  const refusal = await checkPrivilegeOverMessages(ctx, callerId, owner);
  if (refusal) return refusal;
  const saved = id === undefined ? undefined : await findReadableProvider(ctx, owner.ownerId, id);
  if (id !== undefined && saved?.ownerId !== owner.ownerId) return noIdentityProvider();
  const isKept = saved !== undefined && isSameProvider(saved.settings, read.settings);
  const secret = read.secret ?? (isKept ? saved.secret : undefined);
  if (!secret) return wrongIdentityProvider("bindPassword", reason(saved ? "token_bound" : "required"));
  const blockedUntil = await countFailures(ctx, [counter(limits.directoryTrialsOf, callerId)]);
  if (blockedUntil !== undefined) {
    const minutes = Math.max(1, minutesUntil(ctx, blockedUntil));
    return resourceExhausted("identity_provider.too_many_trials", `Too many trials; try again in ${minutes} minutes.`);
  }
  const settings = read.settings as DirectorySettings;
  const directory = { id: newId(), ownerId: owner.ownerId, secret, settings };
  const outcome = await askDirectory(ctx, directory, loginName === "" ? undefined : { loginName });
  if (outcome.kind === "reached") return {};
  if (outcome.kind !== "user") return failed("detail" in outcome ? outcome.detail : outcome.kind);
  const { dn, claims } = outcome.user;
  const provider = { ...directory, kind: "ldap" as const, mapping: null };
  const identity = identityOf(provider, { preferred_username: loginName, ...claims });
  if (!identity) return failed("entry: it has no usable id");
  const { providerId: _, amr: __, ...user } = identity;
  return { user: { ...user, dn, groups: claims.groups as string[] } };
}

const failed = (detail: string) => failedPrecondition("identity_provider.test_failed", `The test failed: ${detail}`);
