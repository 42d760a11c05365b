/** Sign-ins at identity providers for a login of one's own: where the browser is sent, and what was proven there. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, line, strict, webAddress } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import {
  type KeptIntent,
  linkedUserId,
  type ProviderIntent,
  proveIntent,
  readIntent,
  startIntent,
} from "../../login/providers/intent";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { isLoopbackUri } from "../../protocol/public-address";
import { issue } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";

const tag = "Sessions";
const WRITE = { tag, scope: { level: "instance", permission: "session.write", target: "nobody" } } as const;

/** The address carries the token. */
const returnAddress = webAddress.refine((url) => url.startsWith("https:") || isLoopbackUri(url), {
  error: issue("https"),
});
const start = strict({
  idpId: identifier,
  urls: strict({ successUrl: returnAddress, failureUrl: returnAddress }).optional(),
  ldap: strict({ username: line(320), password: z.string().min(1).max(1_000) }).optional(),
}).refine(({ urls, ldap }) => (urls === undefined) !== (ldap === undefined), {
  error: issue("one_or_other", { one: "urls", other: "ldap" }),
});

const kept = z.object({ idpIntentId: z.string(), idpIntentToken: z.string(), userId: z.string().optional() });
const shown = ({ id, token, userId }: KeptIntent) => ({
  idpIntentId: id,
  idpIntentToken: token,
  ...(userId !== undefined && { userId }),
});

const time = (at: number) => new Date(at).toISOString();

/** The details of what is not recorded. */
export async function timesOf(ctx: Context, at: number) {
  const resourceOwner = (await findInstance(ctx)).id;
  return { sequence: "0", creationDate: time(at), changeDate: time(at), resourceOwner };
}

const link = { idpId: z.string(), userId: z.string(), userName: z.string() };
const newUser = z
  .object({
    username: z.string(),
    profile: z.object({
      givenName: z.string(),
      familyName: z.string(),
      preferredLanguage: z.string().optional(),
    }),
    email: z.object({ email: z.string(), isVerified: z.boolean() }).optional(),
    idpLinks: z.array(z.object(link)),
  })
  .meta({ description: "A body for `POST /v2/users/human`, if no user is connected" });

function newUserOf({ identity }: ProviderIntent): z.input<typeof newUser> {
  const { providerId, externalId, userName, email, isEmailVerified, givenName, familyName, language } = identity;
  return {
    username: email ?? userName,
    profile: {
      givenName: givenName ?? userName,
      familyName: familyName ?? userName,
      ...(language !== undefined && { preferredLanguage: language }),
    },
    ...(email !== undefined && { email: { email, isVerified: isEmailVerified } }),
    idpLinks: [{ idpId: providerId, userId: externalId, userName }],
  };
}

export const providerIntentOperations: readonly Operation[] = [
  operation("StartIdentityProviderIntent", "POST /v2/idp_intents", {
    ...WRITE,
    effort: "call",
    summary: "Start a sign-in at an identity provider for a login of your own",
    description:
      "With `urls`, send the browser to `authUrl`. It comes back to `successUrl` with `id`, `token` and, if the account is connected, `user`, or to `failureUrl` with `id` and `error`. Check that it is the browser you sent. With `ldap`, the password is checked at once, with the limits of the hosted page. The token works for ten minutes and for one session (`checks.idpIntent`).",
    body: start,
    answer: z.object({ details, authUrl: z.string().optional(), idpIntent: kept.optional() }),
    async handle(ctx, { body: { idpId, urls, ldap }, address }) {
      const times = { details: await timesOf(ctx, ctx.clock()) };
      if (urls) {
        const started = await startIntent(ctx, idpId, urls);
        return isApiError(started) ? started : { ...times, authUrl: started.url };
      }
      const given = { loginName: ldap?.username.trim() ?? "", password: ldap?.password ?? "" };
      const attempt = { userAgent: { token: undefined, address, name: undefined }, requestId: ctx.origin.requestId };
      const proven: KeptIntent | ApiError = await proveIntent(ctx, idpId, given, attempt);
      return isApiError(proven) ? proven : { ...times, idpIntent: shown(proven) };
    },
  }),
  operation("RetrieveIdentityProviderIntent", "POST /v2/idp_intents/:idpIntentId", {
    ...WRITE,
    summary: "Read what an identity provider has proven",
    description: "The token stays usable. `rawInformation` is empty if the provider said more than 16 kB.",
    body: strict({ idpIntentToken: line(100) }),
    answer: z.object({
      details,
      idpInformation: z.object({ ...link, rawInformation: z.record(z.string(), z.unknown()) }),
      userId: z.string().optional().meta({ description: "The user whose account it is" }),
      addHumanUser: newUser.optional(),
    }),
    async handle(ctx, { parameters: { idpIntentId = "" }, body }) {
      const intent = await readIntent(ctx, idpIntentId, body.idpIntentToken);
      if (isApiError(intent)) return intent;
      const { providerId: idpId, externalId, userName } = intent.identity;
      const userId = await linkedUserId(ctx, intent);
      return {
        details: await timesOf(ctx, intent.provenAt),
        idpInformation: { idpId, userId: externalId, userName, rawInformation: intent.claims },
        ...(userId === undefined ? { addHumanUser: newUserOf(intent) } : { userId }),
      };
    },
  }),
];
