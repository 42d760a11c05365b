/**
 * Client registration endpoint (RFC 7591 §3, rule REGISTER-6) and client configuration endpoint (RFC 7592). Attacks: a
 * flood of registrations by one network, and addresses of our own network that the service is made to request.
 */
import type { Context } from "../../context";
import { refuseClientAddress } from "../../directory/app/client-documents";
import { type ClientMetadata, readClientMetadata } from "../../directory/app/client-metadata";
import type { GivenMetadata } from "../../directory/app/metadata-reader";
import { sectorProblem } from "../../directory/app/sector";
import { readSecuritySettings } from "../../directory/instance-settings";
import {
  type ClientInformation,
  changeRegistration,
  ownRegistration,
  readRegistration,
  registerClient,
  removeRegistration,
} from "../../directory/registration/clients";
import { verifyInitialToken } from "../../directory/registration/initial-tokens";
import type { Cause } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { bearerToken } from "../../protocol/bearer";
import {
  invalidClientMetadata,
  invalidToken,
  isError,
  type OAuthError,
  tooManyRequests,
} from "../../protocol/oauth-error";
import { fetchedAddress } from "../../protocol/public-address";
import { sentenceOf } from "../../protocol/reason";
import { counter, countFailures, limits, networkOf, secondsUntil } from "../../throttle";
import { acceptsCertificates } from "./discovery";

/** A request to register a client, or to read or change a registration. */
export interface RegistrationRequest {
  authorization: string | undefined;
  /** The parsed body; undefined if it is not a JSON object. */
  body: GivenMetadata | undefined;
  cause: Cause;
}

const HOUR = 3_600_000;

/** What has no effect while clients cannot show certificates (RFC 8705 §2.1, §3.4). */
const CERTIFIED = ["token_endpoint_auth_method", "tls_client_certificate_bound_access_tokens"] as const;
const asksForCertificate = (value: unknown) =>
  value === true || value === "tls_client_auth" || value === "self_signed_tls_client_auth";

/** Whether clients can register themselves. */
export async function isRegistrationOn(ctx: Context): Promise<boolean> {
  return (await readSecuritySettings(ctx)).dynamicClientRegistration.enabled;
}

/** Registers a client. */
export async function register(
  ctx: Context,
  { authorization, body, cause }: RegistrationRequest,
): Promise<ClientInformation | OAuthError> {
  const { allowUnauthenticated } = (await readSecuritySettings(ctx)).dynamicClientRegistration;
  const presented = bearerToken(authorization);
  const token = presented === undefined ? undefined : await verifyInitialToken(ctx, presented);
  if (!token && (authorization !== undefined || !allowUnauthenticated)) {
    return invalidToken("an initial access token is required, and must be valid");
  }
  const metadata = readGiven(ctx, body);
  if (isError(metadata)) return metadata;
  const network = networkOf(cause.address);
  if (!token) {
    const hour = String(Math.floor(ctx.clock() / HOUR));
    const counters = [counter(limits.registrationsFrom, network), counter(limits.registrationsIn, hour)];
    const blockedUntil = await countFailures(ctx, counters);
    if (blockedUntil !== undefined)
      return tooManyRequests("too many clients were registered from here; try again later", {
        retryAfter: secondsUntil(ctx, blockedUntil),
      });
  }
  return (await checkSector(ctx, metadata)) ?? registerClient(ctx, metadata, { token, network, ...cause });
}

/** Returns what a client has registered; undefined if the token is not that of this client. */
export async function readOwnRegistration(
  ctx: Context,
  clientId: string,
  { authorization }: RegistrationRequest,
): Promise<ClientInformation | OAuthError> {
  const client = await owner(ctx, clientId, authorization);
  return isError(client) ? client : readRegistration(ctx, client);
}

/** Replaces what a client has registered (RFC 7592 §2.2). */
export async function changeOwnRegistration(
  ctx: Context,
  clientId: string,
  { authorization, body, cause }: RegistrationRequest,
): Promise<ClientInformation | OAuthError> {
  const client = await owner(ctx, clientId, authorization);
  if (isError(client)) return client;
  const metadata = readGiven(ctx, body);
  if (isError(metadata)) return metadata;
  if (body?.client_id !== clientId) return invalidClientMetadata("client_id must be that of this client");
  const wrong = await checkSector(ctx, metadata);
  return wrong ?? changeRegistration(ctx, client, { ...metadata, secret: body.client_secret }, cause);
}

/** Removes a client (RFC 7592 §2.3). */
export async function removeOwnRegistration(
  ctx: Context,
  clientId: string,
  { authorization, cause }: RegistrationRequest,
): Promise<undefined | OAuthError> {
  const client = await owner(ctx, clientId, authorization);
  if (isError(client)) return client;
  const removed = await removeRegistration(ctx, client, cause);
  return isApiError(removed) ? noSuchRegistration() : undefined;
}

const noSuchRegistration = () => invalidToken("the registration access token is not valid for this client");

async function owner(ctx: Context, clientId: string, authorization: string | undefined) {
  const presented = bearerToken(authorization);
  const client = presented === undefined ? undefined : await ownRegistration(ctx, clientId, presented);
  return client ?? noSuchRegistration();
}

function readGiven(ctx: Context, body: GivenMetadata | undefined): ClientMetadata | OAuthError {
  if (!body) return invalidClientMetadata("the body must be a JSON object");
  const metadata = readClientMetadata(body);
  if (isError(metadata)) return metadata;
  const certified = acceptsCertificates(ctx) ? undefined : CERTIFIED.find((member) => asksForCertificate(body[member]));
  if (certified) return invalidClientMetadata(`${certified} asks for certificates, which this service does not accept`);
  for (const [member, address] of [
    ["jwks_uri", metadata.settings.jwksUri],
    ["backchannel_logout_uri", metadata.settings.backChannelLogoutUri],
    ["sector_identifier_uri", metadata.settings.sectorIdentifierUri],
    ...(metadata.settings.requestUris ?? []).map(
      (uri, index) => [`request_uris[${index}]`, fetchedAddress(uri)] as const,
    ),
  ] as const) {
    const why = typeof address === "string" ? refuseClientAddress(ctx, address) : undefined;
    if (why !== undefined) return invalidClientMetadata(`${member} ${why}`);
  }
  return metadata;
}

/** OpenID Connect Dynamic Client Registration §5: the list at the address has every redirect URI. */
async function checkSector(ctx: Context, { settings }: ClientMetadata): Promise<OAuthError | undefined> {
  const why = await sectorProblem(ctx, { ...settings, devMode: true });
  return why && invalidClientMetadata(`sector_identifier_uri ${sentenceOf(why)}`);
}
