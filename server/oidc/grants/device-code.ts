/**
 * Grant type device_code (RFC 8628 §3.4, §3.5): the device polls until its user has answered. One conditional statement
 * redeems the approval and stores its tokens. Polling too fast only increases the interval.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { type DeviceCodeRequest, deviceCode, parseDeviceCode } from "../../protocol/grant-type";
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  isError,
  type OAuthError,
  slowDown,
} from "../../protocol/oauth-error";
import { countPoll, findDeviceAuthorization, redeemDevice } from "../../storage/grant/device-authorizations";
import { findGrant } from "../../storage/grant/grant";
import { endOfSession, makeAccessToken, refreshKey } from "../access-tokens";
import { refreshTokenOf } from "../refresh-token-format";
import { audienceOfToken } from "../resources";
import { idTokenOfGrant, type TokenResponse, tokenResponse } from "../token-response";
import { clientGrant } from "./grant";

/** Seconds that slow_down adds to the interval (RFC 8628 §3.5). */
const PENALTY = 5;

export const deviceCodeGrant = clientGrant({
  grantType: deviceCode,
  methods: clientAuthenticationMethods, // RFC 8628 §3.4
  parse: parseDeviceCode,
  issue,
});

async function issue(
  ctx: Context,
  client: Client,
  request: DeviceCodeRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  const now = ctx.clock();
  const device = await findDeviceAuthorization(ctx.db, digest(request.deviceCode));
  if (!device) return invalidGrant("the device code is unknown");
  if (device.clientId !== client.clientId) return invalidGrant("the device code was issued to another client");
  if (device.consumedAt !== null) return invalidGrant("the device code was used before");
  if (device.expiresAt <= now) return expiredToken("the device code has expired; ask for a new one");
  if (device.deniedAt !== null) return accessDenied("the user denied access");
  if (!(await countPoll(ctx.db, device, now, PENALTY))) return slowDown("wait 5 seconds longer between polls");
  if (device.grantId === null) return authorizationPending("the user hasn't decided yet");

  const grant = await findGrant(ctx.db, device.grantId);
  if (!grant || grant.revokedAt !== null || !grant.isValid)
    return invalidGrant("the sign-in behind the code has ended");
  const audience = await audienceOfToken(ctx, client, grant, request.resources);
  if (isError(audience)) return audience;
  const scope = grant.scope.split(" ");
  const offline = grant.refreshIdleUntil !== null;
  const notAfter = endOfSession(grant, offline);
  const subject = { ...grant, grantId: grant.id, audience, notAfter, jkt: binding };
  const accessToken = await makeAccessToken(ctx, client, subject);
  const [redeemed, idToken] = await Promise.all([
    redeemDevice(ctx.db, { id: device.id, grantId: grant.id }, now, accessToken.row, refreshKey(client, binding)),
    idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token, notAfter }),
  ]);
  if (!redeemed) return invalidGrant("the device code was used before"); // another poll redeemed it first
  const refreshToken = offline ? refreshTokenOf(ctx, { grantId: grant.id, generation: 0 }) : undefined;
  return tokenResponse(accessToken, idToken, refreshToken);
}
