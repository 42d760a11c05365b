/** Requests of apps and devices that a login of its own answers. */
import { z } from "zod";
import type { Context } from "../../context";
import { line, strict, webAddress } from "../../directory/fields";
import {
  answerAuthRequest,
  type CallbackOutcome,
  failAuthRequest,
  readAuthRequest,
} from "../../login/client/auth-request";
import { answerDeviceRequest, readDeviceRequest } from "../../login/client/device-request";
import type { ApplicationFlow } from "../../oidc/flow";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { screenUrl } from "../../web/authorization";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { carriedSession } from "./login-sessions";
import { timesOf } from "./provider-intents";

const tag = "Sessions";
const LINK = { tag, scope: { level: "instance", permission: "session.link" } } as const;
const session = strict({ sessionId: line(200), sessionToken: z.string().min(1).max(20_000) });

const REASONS = [
  ...["INVALID_REQUEST", "UNAUTHORIZED_CLIENT", "ACCESS_DENIED", "UNSUPPORTED_RESPONSE_TYPE", "INVALID_SCOPE"],
  ...["SERVER_ERROR", "TEMPORARY_UNAVAILABLE", "INTERACTION_REQUIRED", "LOGIN_REQUIRED", "ACCOUNT_SELECTION_REQUIRED"],
  ...["CONSENT_REQUIRED", "INVALID_REQUEST_URI", "INVALID_REQUEST_OBJECT", "REQUEST_NOT_SUPPORTED"],
  ...["REQUEST_URI_NOT_SUPPORTED", "REGISTRATION_NOT_SUPPORTED"],
].map((reason) => `ERROR_REASON_${reason}`);

/** The error of OAuth 2.0; one of the names differs. */
const errorOf = (reason: string) =>
  reason.replace("ERROR_REASON_", "").toLowerCase().replace("temporary_unavailable", "temporarily_unavailable");

const answer = strict({
  session: session.optional(),
  error: strict({
    error: z.enum(REASONS),
    errorDescription: line(200).optional(),
    errorUri: webAddress.optional(),
  }).optional(),
}).refine(({ session, error }) => (session === undefined) !== (error === undefined), { error: issue("one_query") });

const authRequest = z
  .object({
    id: z.string(),
    creationDate: timestamp,
    clientId: z.string(),
    scope: z.array(z.string()),
    redirectUri: z.string(),
    prompt: z.array(z.string()),
    uiLocales: z.array(z.string()),
    loginHint: z.string().optional(),
    maxAge: z.string().optional(),
    hintUserId: z.string().optional(),
  })
  .meta({ id: "AuthRequest" });

function toAuthRequest(id: string, { request, startedAt, hintedUserId }: ApplicationFlow): z.input<typeof authRequest> {
  const { clientId, scope, redirectUri, prompt, uiLocales, loginHint, maxAge } = request;
  return {
    id,
    creationDate: new Date(startedAt).toISOString(),
    clientId,
    scope: [...scope],
    redirectUri,
    prompt: prompt.map((one) => `PROMPT_${one.toUpperCase()}`),
    uiLocales: [...uiLocales],
    ...(loginHint !== undefined && { loginHint }),
    ...(maxAge !== undefined && { maxAge: `${maxAge}s` }),
    ...(hintedUserId !== undefined && { hintUserId: hintedUserId }),
  };
}

async function callbackAnswer(ctx: Context, outcome: CallbackOutcome | ApiError) {
  if (isApiError(outcome)) return outcome;
  return {
    details: await timesOf(ctx, ctx.clock()),
    callbackUrl: "url" in outcome ? outcome.url : screenUrl(ctx, "login", outcome.signInFlow),
  };
}

/** Ids of requests are sealed values, longer than other ids. */
const checkParameters = () => undefined;

export const loginRequestOperations: readonly Operation[] = [
  operation("GetAuthRequest", "GET /v2/oidc/auth_requests/:authRequest", {
    ...LINK,
    checkParameters,
    summary: "Read the request of an app that a login of your own is to answer",
    description: "The login page gets the ID as the query parameter `authRequest`.",
    answer: z.object({ authRequest }),
    async handle(ctx, { parameters: { authRequest: id = "" } }) {
      const flow = await readAuthRequest(ctx, id);
      return isApiError(flow) ? flow : { authRequest: toAuthRequest(id, flow) };
    },
  }),
  operation("CreateCallback", "POST /v2/oidc/auth_requests/:authRequest", {
    ...LINK,
    checkParameters,
    summary: "Answer the request of an app with a session, or with an error",
    description:
      "Returns where to send the browser: to the app, or to a page of this service, if the user must be asked first. A request is answered once.",
    body: answer,
    answer: z.object({ details, callbackUrl: z.string() }),
    async handle(ctx, { parameters: { authRequest: id = "" }, body: { session, error } }) {
      const flow = await readAuthRequest(ctx, id);
      if (isApiError(flow)) return flow;
      if (!session) {
        const description = error?.errorDescription ?? "the sign-in ended without an answer";
        const name = errorOf(error?.error ?? "") as "access_denied";
        return callbackAnswer(
          ctx,
          await failAuthRequest(ctx, flow, { error: name, description, uri: error?.errorUri }),
        );
      }
      const carried = carriedSession(ctx, session.sessionId, session.sessionToken);
      return isApiError(carried) ? carried : callbackAnswer(ctx, await answerAuthRequest(ctx, flow, carried));
    },
  }),
  operation("GetDeviceAuthorizationRequest", "GET /v2/oidc/device_authorization/:deviceAuthorization", {
    ...LINK,
    checkParameters,
    summary: "Read the request of a device by the code that it shows",
    answer: z.object({
      deviceAuthorizationRequest: z.object({
        id: z.string(),
        clientId: z.string(),
        scope: z.array(z.string()),
        appName: z.string(),
        projectName: z.string().optional(),
      }),
    }),
    async handle(ctx, { parameters: { deviceAuthorization: userCode = "" }, address }) {
      const found = await readDeviceRequest(ctx, userCode, { token: undefined, address, name: undefined });
      if (isApiError(found)) return found;
      const { id, device, client } = found;
      const { clientId, scope } = device;
      return { deviceAuthorizationRequest: { id, clientId, scope: [...scope], appName: client.appName } };
    },
  }),
  operation("AuthorizeOrDenyDeviceAuthorization", "POST /v2/oidc/device_authorization/:deviceAuthorization", {
    ...LINK,
    checkParameters,
    summary: "Allow a device with the session of a user, or deny it",
    body: strict({ session: session.optional(), deny: strict({}).optional() }).refine(
      ({ session, deny }) => (session === undefined) !== (deny === undefined),
      { error: issue("one_query") },
    ),
    answer: z.object({}),
    async handle(ctx, { parameters: { deviceAuthorization: id = "" }, body: { session } }) {
      const carried = session && carriedSession(ctx, session.sessionId, session.sessionToken);
      if (isApiError(carried)) return carried;
      return (await answerDeviceRequest(ctx, id, carried)) ?? {};
    },
  }),
];
