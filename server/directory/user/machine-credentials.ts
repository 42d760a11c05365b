/**
 * The credentials of machines: a secret, keys, and personal access tokens. Secrets are shown once, when they are made;
 * the database contains only digests and public keys.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId, randomSecret } from "../../crypto/random";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, notFound } from "../../protocol/api-error";
import { serviceAudience } from "../../protocol/management";
import type { Transaction } from "../../storage/database";
import {
  countKeysIn,
  countTokensIn,
  deleteMachineKey,
  deleteToken,
  insertToken,
  readProjectIds,
} from "../../storage/machine-credentials";
import { type UserRow, updateUser } from "../../storage/users";
import { answering } from "../change";
import { changeUser, type UserPlace } from "./change";
import { addMachineKey, type NewMachineKey } from "./machine";

/** Every further one is another that can be lost. */
const MOST_KEYS = 50;
const MOST_TOKENS = 50;

function changeMachineOf<T>(
  ctx: Context,
  place: Omit<UserPlace, "kind">,
  origin: Origin,
  work: (tx: Transaction, machine: UserRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  return changeUser(ctx, { ...place, kind: "machine" }, origin, work);
}

/** Makes a new secret, which replaces the previous one. */
export function makeMachineSecret(
  ctx: Context,
  place: UserPlace,
  origin: Origin,
): Promise<{ clientId: string; clientSecret: string; details: Details } | ApiError> {
  const clientSecret = randomSecret();
  return changeMachineOf(ctx, place, origin, async (tx, machine) => ({
    ...{ clientId: machine.userName, clientSecret },
    details: await recordIn(ctx, tx, {
      type: "user.machine.secret.set",
      aggregateId: machine.id,
      resourceOwner: machine.organizationId,
      origin,
      async state(_, now) {
        await updateUser(tx, machine.id, { secretDigest: digest(clientSecret) }, now);
        return {};
      },
    }),
  }));
}

export function removeMachineSecret(ctx: Context, place: UserPlace, origin: Origin): Promise<Details | ApiError> {
  return changeMachineOf(ctx, place, origin, async (tx, machine) => {
    if (machine.secretDigest === null) return notFound("machine.no_secret", "The machine has no secret.");
    return recordIn(ctx, tx, {
      type: "user.machine.secret.removed",
      aggregateId: machine.id,
      resourceOwner: machine.organizationId,
      origin,
      async state(_, now) {
        await updateUser(tx, machine.id, { secretDigest: null }, now);
        return {};
      },
    });
  });
}

export function registerMachineKey(
  ctx: Context,
  place: UserPlace,
  key: NewMachineKey,
  origin: Origin,
): Promise<undefined | ApiError> {
  const taken = () =>
    alreadyExists("machine.key_id_taken", "The machine has a key of this id already.", { field: "keyId" });
  return answering(taken, () =>
    changeMachineOf(ctx, place, origin, async (tx, machine) => {
      if ((await countKeysIn(tx, machine.id)) >= MOST_KEYS) {
        return failedPrecondition("machine.too_many_keys", `A machine has ${MOST_KEYS} keys at most: remove one.`);
      }
      await addMachineKey(ctx, tx, machine, key, origin);
      return undefined;
    }),
  );
}

export function removeMachineKey(
  ctx: Context,
  place: UserPlace,
  keyId: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeMachineOf(ctx, place, origin, async (tx, machine) => {
    if (!(await deleteMachineKey(tx, machine.id, keyId))) return noSuchKey();
    return recordIn(ctx, tx, {
      type: "user.machine.key.removed",
      aggregateId: machine.id,
      resourceOwner: machine.organizationId,
      origin,
      state: async () => ({ payload: { keyId } }),
    });
  });
}

export const noSuchKey = () => notFound("machine.key_not_found", "The machine has no such key.");

/** The scope of personal access tokens. */
const TOKEN_SCOPE = "openid profile urn:service:iam:user:metadata urn:service:iam:user:resourceowner";
/** How many projects are added to the audience of a token. */
const MOST_PROJECTS = 50;

/**
 * A bearer token for the APIs of this service, and, by introspection, for those of the projects that the machine's
 * organization has at this moment.
 * @param expiresAt epoch milliseconds
 */
export function makePersonalAccessToken(
  ctx: Context,
  place: UserPlace,
  expiresAt: number,
  origin: Origin,
): Promise<{ tokenId: string; token: string; details: Details } | ApiError> {
  const token = randomSecret();
  const id = newId();
  return changeMachineOf(ctx, place, origin, async (tx, machine) => {
    if ((await countTokensIn(tx, machine.id)) >= MOST_TOKENS) {
      return failedPrecondition("machine.too_many_tokens", `A machine has ${MOST_TOKENS} tokens at most: remove one.`);
    }
    const projects = await readProjectIds(tx, machine.organizationId, MOST_PROJECTS);
    const clientId = machine.userName;
    const audience = [...new Set([clientId, serviceAudience, ...projects])].join(" ");
    const details = await recordIn(ctx, tx, {
      type: "user.personal_access_token.added",
      aggregateId: machine.id,
      resourceOwner: machine.organizationId,
      origin,
      async state(_, now) {
        const grant = { id, clientId, userId: machine.id, scope: TOKEN_SCOPE, audience };
        const times = { createdAt: new Date(now), expiresAt: new Date(expiresAt) };
        await insertToken(tx, grant, { id: digest(token) }, times);
        return { payload: { tokenId: id, expiresAt: times.expiresAt.toISOString() } };
      },
    });
    return { tokenId: id, token, details };
  });
}

export function removePersonalAccessToken(
  ctx: Context,
  place: UserPlace,
  tokenId: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeMachineOf(ctx, place, origin, async (tx, machine) => {
    if (!(await deleteToken(tx, machine.id, tokenId))) return noSuchToken();
    return recordIn(ctx, tx, {
      type: "user.personal_access_token.removed",
      aggregateId: machine.id,
      resourceOwner: machine.organizationId,
      origin,
      state: async () => ({ payload: { tokenId } }),
    });
  });
}

export const noSuchToken = () => notFound("machine.token_not_found", "The machine has no such token.");
