/**
 * Clients that register themselves (RFC 7591), and then read, change and delete their own registration (RFC 7592) with
 * a token of their own (rule REGISTER-7). They are apps of one project (app/registration-project.ts).
 */
import type { Context } from "../../context";
import { digest, matchesDigest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { asSystem, type Cause } from "../../events/record";
import { countRegistration } from "../../metrics/instruments";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { MAX_LENGTHS } from "../../protocol/lengths";
import { accessForbidden, invalidClientMetadata, isError, type OAuthError } from "../../protocol/oauth-error";
import { readAppOfProject } from "../../storage/app/app";
import { readAppSecrets } from "../../storage/app/credentials";
import { markRegistrationTokenUsed } from "../../storage/app/registration-tokens";
import {
  findRegisteredClient,
  insertRegistration,
  type RegisteredClient,
  updateRegistration,
} from "../../storage/app/registrations";
import { addApp, changeApp } from "../app/app";
import type { ClientMetadata } from "../app/client-metadata";
import { removeApp } from "../app/configure";
import { registeredMetadata } from "../app/registered-metadata";
import { registrationProject } from "../app/registration-project";
import { UNUSED_LIFETIME } from "../app/registration-use";
import { addAppSecret, removeAppSecret, usesSecret } from "../app/secret";
import { oidcSettings } from "../app/settings";
import { changeInProject } from "../change-project";

/** The client information response (RFC 7591 §3.2.1). */
export type ClientInformation = Record<string, unknown> & { client_id: string };

/** Who registers a client. */
export interface RegistrationCause extends Cause {
  /** The initial access token and who created it; undefined for an open registration. */
  token?: { id: string; createdBy: string };
  network: string;
}

/** Returns the context of a change that a client makes of itself: no user is its actor. */
const byClient = (ctx: Context, { requestId, address }: Cause) => asSystem(ctx, { requestId, address });

/** Registers a client. The secret and the token to manage the registration are only in this response. */
export async function registerClient(
  ctx: Context,
  metadata: ClientMetadata,
  { token, network, ...cause }: RegistrationCause,
): Promise<ClientInformation> {
  const { name, settings, jwks, further } = metadata;
  const ref = await registrationProject(ctx);
  const secret = usesSecret(settings) ? randomSecret() : undefined;
  const managing = randomSecret();
  const now = ctx.clock();
  const added = await changeInProject(byClient(ctx, cause), ref, async (ctx) => {
    const app = await addApp(ctx, { ...ref, kind: "oidc", name, settings, jwks, secret });
    if (isApiError(app)) return app;
    const row = { appId: app.id, kind: "registration" as const, tokenDigest: digest(managing), metadata: further };
    const times = { createdAt: now, usedAt: null, expiresAt: now + UNUSED_LIFETIME };
    await insertRegistration(ctx.tx, { ...row, vouchedBy: token?.createdBy ?? null, address: network, ...times });
    if (token) await markRegistrationTokenUsed(ctx.tx, token.id, now);
    return app;
  });
  if (isApiError(added)) throw new Error(`a client could not be registered: ${added.id}`);
  countRegistration(token ? "token" : "open");
  return {
    ...information(ctx, { clientId: added.clientId, createdAt: now, token: managing }, metadata),
    ...secretMembers(secret),
  };
}

const secretMembers = (secret: string | undefined) =>
  secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 };

/** @param of.token the registration access token, which every response repeats (RFC 7592 §3) */
function information(
  ctx: Context,
  { clientId, createdAt, token }: { clientId: string; createdAt: number; token: string },
  metadata: ClientMetadata,
): ClientInformation {
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(createdAt / 1000),
    registration_client_uri: `${ctx.config.baseUrl}/oauth/v2/register/${encodeURIComponent(clientId)}`,
    registration_access_token: token,
    ...registeredMetadata(metadata),
  };
}

/** A client, and the token that proved that the request is its own. */
export interface OwnRegistration extends RegisteredClient {
  token: string;
}

/**
 * Returns the client whose registration the token is for. Undefined for a wrong token and for a client that does not
 * exist: the caller learns no difference (RFC 7592 §2.1).
 */
export async function ownRegistration(
  ctx: Context,
  clientId: string,
  token: string,
): Promise<OwnRegistration | undefined> {
  if (clientId.length > MAX_LENGTHS.client_id || clientId.includes("\0")) return undefined;
  const client = await findRegisteredClient(ctx.db, clientId);
  return client?.tokenDigest && matchesDigest(token, client.tokenDigest) ? { ...client, token } : undefined;
}

/** Returns what a client has registered. Its secret is stored as a digest and cannot be returned. */
export function readRegistration(ctx: Context, client: OwnRegistration): ClientInformation {
  const { name, jwks, metadata } = client;
  const settings = oidcSettings.parse(client.settings);
  return information(ctx, client, { name, settings, jwks, further: metadata });
}

/**
 * Replaces what a client has registered (RFC 7592 §2.2). It gets a secret if it had none and now authenticates with
 * one.
 * @param secret the secret that the request contains, which must be one of the client's
 */
export async function changeRegistration(
  ctx: Context,
  client: OwnRegistration,
  { secret, ...metadata }: ClientMetadata & { secret: unknown },
  cause: Cause,
): Promise<ClientInformation | OAuthError> {
  const { name, settings, jwks, further } = metadata;
  // What administrators trust is this client as it is now (app-trust.ts).
  if (client.isTrusted || client.mayManage) {
    return accessForbidden("administrators vouch for this client; only they can change it");
  }
  const { organizationId } = client;
  const changed = await changeInProject(
    byClient(ctx, cause),
    client,
    async (ctx, project): Promise<{ made?: string } | OAuthError | ApiError> => {
      const stored = await readAppOfProject(ctx.tx, project.id, client.appId);
      if (!stored) return {};
      const secrets = await readAppSecrets(ctx.tx, stored.id);
      const isOne = typeof secret === "string" && secrets.some((one) => matchesDigest(secret, one.digest));
      if (secret !== undefined && !isOne) return invalidClientMetadata("client_secret is not that of this client");
      const refused = await changeApp(ctx, stored, organizationId, { name, settings, jwks });
      if (isApiError(refused)) return refused;
      await updateRegistration(ctx.tx, stored.id, { metadata: further });
      const app = { id: stored.id, organizationId };
      if (!usesSecret(settings)) for (const one of secrets) await removeAppSecret(ctx, app, one);
      if (!usesSecret(settings) || secrets.length > 0) return {};
      const made = randomSecret();
      await addAppSecret(ctx, app, { secret: made });
      return { made };
    },
  );
  if (isApiError(changed)) throw new Error(`a registration could not be changed: ${changed.id}`);
  if (isError(changed)) return changed;
  return { ...information(ctx, client, metadata), ...secretMembers(changed.made) };
}

/** Removes a client, which ends its tokens (RFC 7592 §2.3). */
export function removeRegistration(
  ctx: Context,
  client: RegisteredClient,
  cause: Cause,
): Promise<undefined | ApiError> {
  return removeApp(byClient(ctx, cause), client);
}
