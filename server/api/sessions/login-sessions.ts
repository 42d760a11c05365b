/** Sessions of logins of their own: a program with its own pages checks what users enter there (login/client). */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, line, strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { findUser } from "../../directory/user/user";
import { findDetails, type OriginContext } from "../../events/record";
import {
  type CarriedSession,
  findStoredSession,
  lastMomentOf,
  newCarriedSession,
  openCarriedSession,
  sealCarriedSession,
} from "../../login/client/carried-session";
import { challengeSession } from "../../login/client/challenge-session";
import { checkSession } from "../../login/client/check-session";
import { keepClientData, withNotes } from "../../login/client/client-data";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { FEDERATED } from "../../protocol/authentication-context";
import { findUserOfSession, listActiveSessions } from "../../sessions/list";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";
import { urlTemplate } from "../users/code-ways";
import { clientDataIn, notes, sessionMatchOf, sessionQueries, userAgent } from "./session-notes";

const tag = "Sessions";
/** Sealed values, which carry the state of a sign-in. */
export const sessionToken = z.string().min(1).max(20_000);
const code = strict({ code: line(100) });

const checks = strict({
  user: strict({ userId: identifier, loginName: line(320) })
    .partial()
    .optional(),
  password: strict({ password: z.string().min(1).max(1_000) }).optional(),
  idpIntent: strict({ idpIntentId: identifier, idpIntentToken: line(100) })
    .optional()
    .meta({ description: "What an identity provider has proven (`/v2/idp_intents`); works once" }),
  webAuthN: strict({ credentialAssertionData: z.record(z.string(), z.unknown()) }).optional(),
  totp: code.optional(),
  otpSms: code.optional(),
  otpEmail: code.optional(),
  recoveryCode: code.optional(),
}).meta({ description: "What the user entered. The first wrong check refuses the request" });

/** What second factors do; passkeys that replace the password always verify the user. */
const VERIFICATIONS = {
  USER_VERIFICATION_REQUIREMENT_UNSPECIFIED: undefined,
  USER_VERIFICATION_REQUIREMENT_REQUIRED: "required",
  USER_VERIFICATION_REQUIREMENT_PREFERRED: "preferred",
  USER_VERIFICATION_REQUIREMENT_DISCOURAGED: "discouraged",
} as const;

const codeUrlTemplate = urlTemplate.meta({
  description:
    "The address of your page where the code is entered, which the text of the message shows as {{.URL}}, with `{{.Code}}`, `{{.UserID}}`, `{{.OrgID}}`, `{{.SessionID}}`, `{{.LoginName}}`, `{{.DisplayName}}` and `{{.PreferredLanguage}}`. It must be under a verified domain of the user’s organization or under `/ui/` of this service.",
});
const challenges = strict({
  webAuthN: strict({
    domain: line(255).optional(),
    userVerificationRequirement: z.enum(Object.keys(VERIFICATIONS) as (keyof typeof VERIFICATIONS)[]).optional(),
  })
    .transform(({ domain, userVerificationRequirement: wanted }) => ({
      domain,
      verification: wanted && VERIFICATIONS[wanted],
    }))
    .optional(),
  otpSms: strict({}).optional(),
  otpEmail: strict({ sendCode: strict({ urlTemplate: codeUrlTemplate }).optional() }).optional(),
}).meta({ description: "Codes to send to the user, and what a passkey must sign" });

const made = {
  details,
  sessionToken: z.string().meta({ description: "Changes with every request; the one before may no longer work" }),
  challenges: z
    .object({ webAuthN: z.object({ publicKeyCredentialRequestOptions: z.record(z.string(), z.unknown()) }).optional() })
    .optional(),
};

const verified = z.object({ verifiedAt: timestamp }).optional();
const shownSession = z
  .object({
    id: z.string(),
    creationDate: timestamp,
    changeDate: timestamp,
    sequence: z.string(),
    expirationDate: timestamp,
    factors: z.object({
      user: z
        .object({
          verifiedAt: timestamp,
          id: z.string(),
          loginName: z.string(),
          displayName: z.string(),
          organizationId: z.string(),
        })
        .optional(),
      password: verified,
      intent: verified,
      webAuthN: z.object({ verifiedAt: timestamp, userVerified: z.boolean() }).optional(),
      totp: verified,
      otpSms: verified,
      otpEmail: verified,
      recoveryCode: verified,
    }),
    metadata: z.record(z.string(), z.string()).optional(),
    userAgent: z.object({
      ip: z.string().optional(),
      description: z.string().optional(),
      fingerprintId: z.string().optional(),
      header: z.record(z.string(), z.object({ values: z.array(z.string()) })).optional(),
    }),
  })
  .meta({ id: "LoginSession" });
type Shown = z.input<typeof shownSession>;
const listedSessions = listOf(shownSession);

const time = (at: number) => new Date(at).toISOString();
export const noSuchSession = () => notFound("session.not_found", "This session has ended.");

/** The session of a token; a wrong token is answered like a session that does not exist. */
export const carriedSession = (ctx: Context, id: string, sessionToken: string): CarriedSession | ApiError =>
  openCarriedSession(ctx, id, sessionToken) ?? noSuchSession();

async function checkedAnswer(
  ctx: OriginContext,
  before: CarriedSession,
  call: OperationCall<z.output<typeof body>, unknown>,
) {
  const request = { requestId: ctx.origin.requestId };
  const client = before.client && withNotes(ctx, before.client, call.body);
  if (isApiError(client)) return client;
  const checked = await checkSession(ctx, { ...before, client }, call.body.checks ?? {}, request);
  if (isApiError(checked)) return checked;
  const outcome = await challengeSession(ctx, checked, call.body.challenges ?? {}, {
    ...request,
    actor: ctx.origin.actor,
  });
  if (isApiError(outcome)) return outcome;
  const { session, passkeyOptions } = outcome;
  const stored = await findStoredSession(ctx, session);
  if (stored && session.client) await keepClientData(ctx, stored, session.client);
  return {
    ...(stored ? await changedAnswer(ctx, "user", stored.userId) : await unstoredDetails(ctx, session)),
    sessionId: session.id,
    sessionToken: sealCarriedSession(ctx, session),
    ...(passkeyOptions && { challenges: { webAuthN: { publicKeyCredentialRequestOptions: passkeyOptions } } }),
  };
}

/** Before its last factor nothing is recorded about a session. */
export async function unstoredDetails(ctx: Context, { createdAt }: CarriedSession) {
  const resourceOwner = (await findInstance(ctx)).id;
  const at = { creationDate: time(createdAt), changeDate: time(ctx.clock()) };
  return { details: { sequence: "0", ...at, resourceOwner } };
}

async function shownByToken(ctx: Context, carried: CarriedSession): Promise<Shown | ApiError> {
  const { id, createdAt, factors, userId, address, agentName, client, wasStored } = carried;
  const stored = await findStoredSession(ctx, carried);
  // The session has ended, its row is deleted, or a newer token names it.
  if (!stored && (wasStored || (await findUserOfSession(ctx, id)) !== undefined)) return noSuchSession();
  const user = userId === undefined ? undefined : await findUser(ctx, userId);
  const at = Math.max(createdAt, ...Object.values(factors));
  const of = (factor: number | undefined) => (factor === undefined ? undefined : { verifiedAt: time(factor) });
  return {
    id,
    creationDate: time(createdAt),
    changeDate: time(at),
    sequence: (stored && (await findDetails(ctx, "user", stored.userId))?.sequence) ?? "0",
    expirationDate: time(stored?.expiresAt ?? lastMomentOf(ctx, carried)),
    factors: {
      user: user && {
        verifiedAt: time(at),
        id: user.id,
        loginName: user.loginName,
        displayName: user.displayName ?? user.loginName,
        organizationId: user.organizationId,
      },
      password: of(factors.password),
      intent: of(factors.intent),
      webAuthN: factors.webAuthN ? { verifiedAt: time(factors.webAuthN), userVerified: true } : undefined,
      totp: of(factors.totp),
      otpSms: of(factors.otpSms),
      otpEmail: of(factors.otpEmail),
      recoveryCode: of(factors.recoveryCode),
    },
    metadata: client?.metadata,
    userAgent: { ip: address, description: agentName, fingerprintId: client?.fingerprintId, header: client?.header },
  };
}

type Row = Awaited<ReturnType<ReturnType<typeof listActiveSessions>["page"]>>["rows"][number];
/** A stored session has the methods of the authentication, but not which of several kinds of codes was entered. */
function shownByRow(row: Row): Shown {
  const verifiedAt = time(row.authTime);
  const amr = row.amr.split(" ");
  const { id, userId, loginName, displayName, organizationId, clientAddress, userAgentName, fingerprintId } = row;
  const { header, metadata } = clientDataIn(row);
  return {
    id,
    creationDate: time(row.createdAt),
    changeDate: time(row.lastSeenAt),
    sequence: String(row.sequence),
    expirationDate: time(row.expiresAt),
    factors: {
      user: { verifiedAt, id: userId, loginName, displayName, organizationId },
      password: amr.includes("pwd") ? { verifiedAt } : undefined,
      intent: amr.includes(FEDERATED) ? { verifiedAt } : undefined,
      webAuthN: amr.includes("hwk") || amr.includes("swk") ? { verifiedAt, userVerified: true } : undefined,
    },
    metadata,
    userAgent: {
      ip: clientAddress ?? undefined,
      description: userAgentName ?? undefined,
      fingerprintId: fingerprintId ?? undefined,
      header,
    },
  };
}

const body = strict({ checks: checks.optional(), challenges: challenges.optional(), ...notes });

/** Without target: a session belongs only to a user whose password or other factor was checked. */
const WRITE = { tag, scope: { level: "instance", permission: "session.write", target: "nobody" } } as const;
const READ = { tag, scope: { level: "instance", permission: "session.read" } } as const;

export const loginSessionOperations: readonly Operation[] = [
  operation("CreateSession", "POST /v2/sessions", {
    ...WRITE,
    summary: "Start a session for a login of your own, and check what the user entered",
    description:
      "The limits, lockouts and second factors of the hosted pages apply. A session is listed, and can answer requests of apps, once the last required factor is proven; whether a login name exists is not told before a factor is proven.",
    body: body.extend({ userAgent: userAgent.optional() }),
    bodyIsOptional: true,
    answer: z.object({ ...made, sessionId: z.string() }),
    handle(ctx, call) {
      const { ip, description, ...noted } = call.body.userAgent ?? {};
      const client = { creatorId: ctx.origin.actor, ...noted };
      const device = { address: ip ?? call.address, agentName: description, client };
      return checkedAnswer(ctx, newCarriedSession(ctx, device), call);
    },
  }),
  operation("SetSession", "PATCH /v2/sessions/:sessionId", {
    ...WRITE,
    summary: "Check more of what the user entered in a session",
    body: body.extend({ sessionToken }),
    answer: z.object(made),
    async handle(ctx, call) {
      const carried = carriedSession(ctx, call.parameters.sessionId ?? "", call.body.sessionToken);
      if (isApiError(carried)) return carried;
      const answer = await checkedAnswer(ctx, carried, call);
      if (isApiError(answer)) return answer;
      const { sessionId: _, ...rest } = answer;
      return rest;
    },
  }),
  operation("GetSession", "GET /v2/sessions/:sessionId", {
    ...READ,
    summary: "Read a session",
    query: strict({ sessionToken: sessionToken.optional() }),
    answer: z.object({ session: shownSession }),
    async handle(ctx, { parameters: { sessionId = "" }, query }) {
      if (query.sessionToken !== undefined) {
        const carried = carriedSession(ctx, sessionId, query.sessionToken);
        if (isApiError(carried)) return carried;
        return answered(shownByToken(ctx, carried), (session) => ({ session }));
      }
      const page = { after: undefined, offset: 0, limit: 1, ascending: undefined };
      const [row] = (await listActiveSessions(ctx, [{ id: sessionId }]).page(page)).rows;
      return row ? { session: shownByRow(row) } : noSuchSession();
    },
  }),
  operation("SearchSessions", "POST /v2/sessions/search", {
    ...READ,
    summary: "Search active sessions, newest first",
    body: searchBody(sessionQueries),
    bodyIsOptional: true,
    answer: z.object({
      ...listedSessions.omit({ result: true }).shape,
      details: listedSessions.shape.details.extend({ timestamp }),
      sessions: z.array(shownSession),
    }),
    async handle(ctx, { body: { query, queries = [] } }) {
      const matches = queries.map((one) => sessionMatchOf(one, ctx.origin.actor));
      const found = await pagedAnswer(ctx, query, listActiveSessions(ctx, matches), shownByRow);
      if (isApiError(found)) return found;
      const { result, details, ...rest } = found;
      return { ...rest, details: { ...details, timestamp: details.viewTimestamp }, sessions: result };
    },
  }),
];
