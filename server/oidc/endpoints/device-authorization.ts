/**
 * Device authorization endpoint (RFC 8628 §3.1, §3.2): a device without a browser gets a code for itself and a short
 * one for its user. The short code is stored only as a MAC, so reading the database is not enough to approve a device.
 * The address that requested it is stored, because it is shown to the user (§5.4, remote phishing).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomCode, randomSecret } from "../../crypto/random";
import { findTargetProjects } from "../../directory/app/target-projects";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { formatUserCode, parseDeviceRequest, userCodeAlphabet } from "../../protocol/device";
import { deviceName } from "../../protocol/device-name";
import { deviceCode } from "../../protocol/grant-type";
import {
  invalidScope,
  invalidTarget,
  isError,
  type OAuthError,
  tooManyRequests,
  unauthorizedClient,
} from "../../protocol/oauth-error";
import { grantedScope } from "../../protocol/project-scope";
import { meaningfulTo } from "../../protocol/resource";
import { withinRegistered, withoutProviders } from "../../protocol/scope";
import { tickGrant } from "../../protocol/setting-names";
import type { UserAgent } from "../../sessions/user-agent";
import { isUniqueViolation } from "../../storage/engine/violations";
import { insertDeviceAuthorization } from "../../storage/grant/device-authorizations";
import { counter, countFailures, limits, networkOf, secondsUntil } from "../../throttle";
import { requiredOrganization } from "../app-access";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { findRequestedResources } from "../resources";

/** The time that a user has to pick up another device, sign in and type the code, in milliseconds. */
export const DEVICE_CODE_LIFETIME = 10 * 60_000;
/** The interval between polls in seconds (RFC 8628 §3.2). */
const POLL_INTERVAL = 5;
/** How many user codes are tried to find one that is free. */
const MAX_DRAWS = 5;
/** The maximum size of the stored scope in bytes, so that a row stays below 1 kB. */
const MAX_DEVICE_SCOPE = 600;
/** The maximum length of a stored address in characters. A longer one, with a long IPv6 zone, is not stored. */
const MAX_ADDRESS_LENGTH = 64;

export interface DeviceAuthorizationResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  /** Seconds. */
  expires_in: number;
  interval: number;
}

/** Returns the form in which a user code is stored. */
export function userCodeDigest(ctx: Context, code: string): string {
  return ctx.secrets.mac("device-user-code", Buffer.from(code)).toString("base64url");
}

/**
 * Issues a pair of codes to an authenticated client.
 * @param from the origin of the request
 */
export async function deviceAuthorization(
  ctx: Context,
  http: OAuthHttpRequest,
  from: Pick<UserAgent, "address" | "name">,
): Promise<DeviceAuthorizationResponse | OAuthError> {
  const request = parseDeviceRequest(http.form);
  if (isError(request)) return request;
  const client = await authenticateClient(ctx, http, clientAuthenticationMethods); // §3.1: as at the token endpoint
  if (isError(client)) return client;
  if (!client.grantTypes.includes(deviceCode)) {
    const wayOut = client.kind === "oidc" ? `; ${tickGrant(deviceCode)}` : "";
    return unauthorizedClient(`this client is not registered for device authorization${wayOut}`);
  }
  const requested = withinRegistered(request.scope, client, request.resources.length > 0);
  const organization = await requiredOrganization(ctx, requested);
  if (isError(organization)) return organization;

  const [targets, resources] = await Promise.all([
    findTargetProjects(ctx, client, requested),
    findRequestedResources(ctx, request.resources, requested, client),
  ]);
  if (isError(resources)) return resources;
  // The user is asked for consent, as with an authorization code.
  const scope = withoutProviders(
    grantedScope(meaningfulTo(requested, client, { projects: targets, resources }), client, "code"),
  ).join(" ");
  if (Buffer.byteLength(scope) > MAX_DEVICE_SCOPE) {
    return invalidScope(`what is granted of the scope is longer than ${MAX_DEVICE_SCOPE} bytes`);
  }
  const uris = resources.map(({ uri }) => uri).join(" ");
  if (uris.length > MAX_DEVICE_SCOPE) {
    return invalidTarget(`the resources are longer than ${MAX_DEVICE_SCOPE} characters`);
  }
  const refusal = await countDevice(ctx, client, from.address);
  if (refusal) return refusal;
  const now = ctx.clock();
  const secret = randomSecret();
  const row = {
    id: digest(secret),
    clientId: client.clientId,
    scope,
    resources: uris === "" ? null : uris,
    createdAt: now,
    expiresAt: now + DEVICE_CODE_LIFETIME,
    nextPollAt: now,
    interval: POLL_INTERVAL,
    sessionId: null,
    deniedAt: null,
    grantId: null,
    consumedAt: null,
    address: from.address !== undefined && from.address.length <= MAX_ADDRESS_LENGTH ? from.address : null,
    device: deviceName(from.name ?? "") ?? null,
  };
  const userCode = await insertWithFreeCode(ctx, row);
  const page = `${ctx.config.baseUrl}/device`;
  return {
    device_code: secret,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: DEVICE_CODE_LIFETIME / 1000,
    interval: POLL_INTERVAL,
  };
}

/**
 * Counts a request (attack: filling the database with the id of a public client). A client that has authenticated may
 * request codes for many devices from one address.
 */
async function countDevice(
  ctx: Context,
  { clientId, authenticationMethod }: Pick<Client, "clientId" | "authenticationMethod">,
  address: string | undefined,
): Promise<OAuthError | undefined> {
  const ofNetwork = authenticationMethod === "none" ? [counter(limits.devicesFrom, networkOf(address))] : [];
  const window = String(Math.floor(ctx.clock() / DEVICE_CODE_LIFETIME));
  const blockedUntil = await countFailures(ctx, [...ofNetwork, counter(limits.devicesOf, clientId, window)]);
  return blockedUntil === undefined
    ? undefined
    : tooManyRequests("too many devices asked for a code; try again later", {
        retryAfter: secondsUntil(ctx, blockedUntil),
      });
}

type Row = Omit<Parameters<typeof insertDeviceAuthorization>[1], "userCodeDigest">;

/** Stores the row with a user code that is not in use. The odds of a collision are about one in a billion. */
async function insertWithFreeCode(ctx: Context, row: Row): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const code = randomCode(userCodeAlphabet);
    try {
      await insertDeviceAuthorization(ctx.db, { ...row, userCodeDigest: userCodeDigest(ctx, code) });
      return formatUserCode(code);
    } catch (error) {
      if (attempt === MAX_DRAWS || !isUniqueViolation(error)) throw error;
    }
  }
}
