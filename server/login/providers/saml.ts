/**
 * Signs in at a SAML provider. The ID of the request is the nonce of the sign-in and RelayState is its state, so that a
 * response counts only in the browser that started it. Providers post it from their own site, without our cookies: it
 * is kept sealed for minutes, and the redirect to our callback carries the cookies.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { samlKeysOf, samlServiceOf, signingKeyOf } from "../../directory/identity-provider/saml-keys";
import { findSamlMetadata, verifyByProviderKeys } from "../../directory/identity-provider/saml-metadata";
import { FLOW_LIFETIME } from "../../oidc/flow";
import { base64, postMessage, redirectMessage, type SamlMessage } from "../../protocol/saml/bindings";
import type { SamlLogoutName } from "../../protocol/saml/logout";
import { certificateEnd, type SamlProvider } from "../../protocol/saml/provider-metadata";
import { type SamlAssertion, SamlStatusRefused, verifySamlResponse } from "../../protocol/saml/response";
import {
  type AuthnRequest,
  authnRequestXml,
  isTransient,
  NAME_ID_FORMATS,
  serviceMetadata,
} from "../../protocol/saml/service-provider";
import { consumeAssertion } from "../../storage/grant/assertions";
import {
  consumeOneTimeToken,
  deleteOneTimeToken,
  findOneTimeToken,
  insertOneTimeToken,
} from "../../storage/user/one-time-tokens";
import { identityOf, type SessionAtProvider } from "./identity";
import { type ExchangeOutcome, failedCheck } from "./outcome";
import { samlClaims } from "./saml-claims";

/** Characters of the base64; an encrypted assertion with hundreds of groups has some 100,000. */
const MAX_RESPONSE = 192 * 1024;
/** How long a response is kept until the browser follows the redirect, in milliseconds. */
const KEPT = 5 * 60_000;

interface SamlRequest {
  state: string;
  nonce: string;
  /** Users must sign in there again: SAML cannot ask for the age of a session. */
  age?: { since: number };
}

/** The ID of a request begins with a letter or an underscore, as that of any XML element. */
const requestIdOf = ({ nonce }: Pick<SamlRequest, "nonce">): string => `_${nonce}`;

/**
 * Returns whether messages go by a form, and the address of the provider; undefined if it has none. A form is not sent
 * to ourselves, where it would count as one of our own pages (attack: a provider whose address is a form of ours).
 */
export function samlBindingOf(
  ctx: Pick<Context, "config">,
  { settings }: IdentityProvider,
  { redirectUrl, postUrl }: { redirectUrl?: string; postUrl?: string },
): { isPost: boolean; destination: string } | undefined {
  const mayPost = postUrl !== undefined && new URL(postUrl).origin !== new URL(ctx.config.baseUrl).origin;
  const isPost = mayPost && (settings.binding === "SAML_BINDING_POST" || redirectUrl === undefined);
  const destination = isPost ? postUrl : redirectUrl;
  return destination === undefined ? undefined : { isPost, destination };
}

async function requestTo(ctx: Context, provider: IdentityProvider, { state, nonce, age }: SamlRequest) {
  const metadata = await findSamlMetadata(ctx, provider);
  const binding = samlBindingOf(ctx, provider, metadata);
  if (!binding) throw new Error("the metadata has no address for requests");
  const { isPost, destination } = binding;
  const request: AuthnRequest = {
    ...samlServiceOf(ctx.config, provider.id),
    id: requestIdOf({ nonce }),
    issuedAt: ctx.clock(),
    destination,
    nameIdFormat: formatOf(provider),
    mustSignIn: age !== undefined,
  };
  const isSigned = provider.settings.withSignedRequest || metadata.wantsSignedRequests;
  const xml = authnRequestXml(request);
  const message: SamlMessage = { name: "SAMLRequest", xml, destination, relayState: state };
  return { message, isPost, privateKey: isSigned ? signingKeyOf(ctx, provider)?.privateKey : undefined };
}

const formatOf = ({ settings: { nameIdFormat } }: IdentityProvider): string | undefined =>
  NAME_ID_FORMATS[nameIdFormat ?? "SAML_NAME_ID_FORMAT_UNSPECIFIED"];

/** Returns the address to which the user is sent: the provider's, or our page with the form for it. */
export async function samlAddress(ctx: Context, provider: IdentityProvider, asked: SamlRequest): Promise<URL> {
  const { message, isPost, privateKey } = await requestTo(ctx, provider, asked);
  return isPost ? samlFormAddress(ctx, provider, asked.state) : redirectMessage(message, privateKey);
}

/** Returns the address of our page with a form for the provider. */
export function samlFormAddress(ctx: Context, { id }: Pick<IdentityProvider, "id">, state: string): URL {
  return new URL(`${ctx.config.baseUrl}/idps/${id}/saml/request?${new URLSearchParams({ state })}`);
}

/** A form that a page of ours sends to a provider. */
export interface SamlForm {
  /** Its name. */
  provider: string;
  redirectUri: string;
  fields: Record<string, string>;
}

/** Returns the form for a provider with the binding HTTP-POST; undefined if it was not started in this way. */
export async function samlForm(ctx: Context, providerId: string, asked: SamlRequest): Promise<SamlForm | undefined> {
  const provider = await findStoredProvider(ctx, providerId);
  if (provider?.kind !== "saml") return undefined;
  const { message, isPost, privateKey } = await requestTo(ctx, provider, asked);
  if (!isPost) return undefined;
  return { provider: provider.name, redirectUri: message.destination, fields: postMessage(message, privateKey) };
}

/** Returns our metadata for a provider; undefined if there is no such provider. */
export async function findServiceMetadata(ctx: Context, providerId: string): Promise<string | undefined> {
  const provider = await findStoredProvider(ctx, providerId);
  if (provider?.kind !== "saml") return undefined;
  const certificates = samlKeysOf(provider).map(({ certificate }) => certificate);
  const signsRequests = provider.settings.withSignedRequest === true;
  return serviceMetadata(samlServiceOf(ctx.config, providerId), certificates, {
    signsRequests,
    nameIdFormat: formatOf(provider),
  });
}

const keptAs = (state: string): string => digest(`${state}.response`);

/**
 * Keeps a posted response until the browser returns with its cookies. One is kept for each sign-in that was started,
 * because anyone can post (attack: filling the table).
 * @returns whether it belongs to a sign-in at this provider that can still end
 */
export async function keepSamlResponse(
  ctx: Context,
  providerId: string,
  { state, response }: { state: string; response: string },
): Promise<boolean> {
  if (response.length === 0 || response.length > MAX_RESPONSE) return false;
  const now = ctx.clock();
  const row = await findOneTimeToken<{ sealed: string }>(ctx.db, digest(state));
  if (row?.purpose !== "provider_sign_in" || row.consumedAt !== null || row.expiresAt <= now) return false;
  const started = ctx.secrets.open("flow", row.payload.sealed);
  if (started === undefined || (JSON.parse(started) as { providerId: string }).providerId !== providerId) return false;
  const kept = {
    digest: keptAs(state),
    purpose: "provider_response" as const,
    subjectId: null,
    payload: { sealed: ctx.secrets.seal("flow", response) },
    createdAt: now,
    expiresAt: now + KEPT,
  };
  await ctx.db.transaction(async (tx) => {
    await deleteOneTimeToken(tx, kept.digest);
    await insertOneTimeToken(tx, kept);
  });
  return true;
}

async function takeResponse(ctx: Context, state: string): Promise<string> {
  const kept = await findOneTimeToken<{ sealed: string }>(ctx.db, keptAs(state));
  const isFirst =
    kept?.purpose === "provider_response" &&
    (await ctx.db.transaction((tx) => consumeOneTimeToken(tx, kept.digest, "provider_response", ctx.clock())));
  const response = isFirst ? ctx.secrets.open("flow", kept.payload.sealed) : undefined;
  if (response === undefined) throw new Error("it is missing");
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64(response), "base64"));
}

/** Verifies the response that was kept for a sign-in, and returns the identity behind it. */
export async function redeemSamlResponse(
  ctx: Context,
  provider: IdentityProvider,
  request: SamlRequest,
): Promise<ExchangeOutcome> {
  let checks: string[] = ["response"];
  const next = (check: string) => {
    if (check !== checks.at(-1)) checks.push(check);
  };
  try {
    const text = await takeResponse(ctx, request.state);
    const assertion = await verifyByProviderKeys(
      ctx,
      provider,
      (metadata) => {
        checks = ["response"];
        return verified(ctx, provider, { text, metadata, request }, next);
      },
      () => Boolean(checks.at(-1)?.endsWith("signature")),
    );
    next("replay");
    const used = digest(`saml ${provider.id} ${assertion.id}`);
    // Later, the sign-in that it answers cannot end any more.
    if (!(await consumeAssertion(ctx.db, used, ctx.clock() + FLOW_LIFETIME))) throw new Error("it was used before");
    next("identity");
    if (isTransient(assertion.nameIdFormat) && provider.settings.transientMappingAttributeName === undefined) {
      throw new Error("the NameID is transient, and no attribute is set that identifies the user");
    }
    const claims = samlClaims(provider.settings, assertion);
    const identity = identityOf(provider, claims);
    if (!identity) throw new Error("it has no id of the user");
    const atProvider = sessionIn(assertion);
    return { kind: "identity", identity: { ...identity, atProvider }, claims, passed: checks };
  } catch (error) {
    if (error instanceof SamlStatusRefused) return { kind: "denied", error: error.message };
    const why = error instanceof Error ? error.message : "unforeseen";
    const check = checks.at(-1) ?? "response";
    const ended = check.endsWith("signature") && (await haveEnded(ctx, provider));
    return failedCheck(check, checks.slice(0, -1), ended ? `${why}, and all its certificates have expired` : why);
  }
}

/** Characters of the names of a user and a session there by which they are found again. */
const MAX_NAME = 500;

function sessionIn(assertion: SamlAssertion): SessionAtProvider | undefined {
  const { nameId, nameIdFormat: format, nameQualifier, spNameQualifier, sessionIndex } = assertion;
  if (nameId.length > MAX_NAME || (sessionIndex?.length ?? 0) > MAX_NAME) return undefined;
  const name: SamlLogoutName = { nameId, format, nameQualifier, spNameQualifier, sessionIndex };
  return { subject: nameId, sid: sessionIndex, hint: JSON.stringify(name) };
}

function verified(
  ctx: Context,
  provider: IdentityProvider,
  { text, metadata, request }: { text: string; metadata: SamlProvider; request: SamlRequest },
  begin: (check: string) => void,
): SamlAssertion {
  const { entityId: audience, acsUrl } = samlServiceOf(ctx.config, provider.id);
  const decryptionKeys = samlKeysOf(provider).map(({ privateKey }) => privateKey);
  const expected = { audience, acsUrl, requestId: requestIdOf(request), provider: metadata, decryptionKeys };
  const authenticatedSince = request.age?.since;
  return verifySamlResponse(text, { ...expected, authenticatedSince, now: ctx.clock() }, begin);
}

async function haveEnded(ctx: Context, provider: IdentityProvider): Promise<boolean> {
  const { certificates } = await findSamlMetadata(ctx, provider);
  return certificates.every((pem) => certificateEnd(pem) < ctx.clock());
}
