/**
 * The pages for proving a second factor. Each of them checks again that the flow's first factor was proven recently in
 * this browser; if not, the sign-in starts over.
 */
import type { CodePageProps, FactorError } from "../../../components/login/second-factor-page";
import type { Context } from "../../context";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { continueFlow } from "../../login/continue-flow";
import type { AwaitedPerson } from "../../login/factors/factor";
import { confirmWithPasskey } from "../../login/factors/passkey";
import { requestPasskey } from "../../login/factors/passkey-request";
import { awaitedPerson, checkSecondFactor, sendFactorCode } from "../../login/factors/second-factor";
import { findChannel, findCodeFactor, mailedFactor } from "../../login/factors/table";
import { noteIfLate } from "../../login/note-attempt";
import { sentCodeOf } from "../../oidc/pending-sign-in";
import type { CodeWay, FactorWay } from "../../protocol/second-factor";
import { redirectAnswer, screenUrl } from "../authorization";
import type { PageResponse } from "../pages/render";
import { carriedRefusal, refusedAnswer } from "../refusal";
import { flowAnswer, loginLink, withFlow } from "./answers";
import { type LoginRequest, onLogin } from "./login-request";
import { type PageContext, showPage } from "./page-context";
import { resendNote } from "./resend-note";
import { codePage, noWayPage, passkeyPage } from "./second-factor-pages";

export const secondFactorPageRoute = onLogin(async (ctx, http, login) => {
  const person = await awaitedPerson(ctx, login.flow, userAgentOf(ctx, http));
  if (!person) return restart(ctx, http, login);
  if (!person.isProtected)
    return redirectAnswer(http, screenUrl(ctx, "set-up-factor", login.sealed, login.chosenLocale));
  return showChallenge(ctx, http, login, person);
});

interface Refused {
  error: FactorError;
}

/** Redirects to the challenge, which shows the error. */
function refusedChallenge(ctx: Context, http: Http, login: LoginRequest, way: FactorWay, error: FactorError): Response {
  const page = `${screenUrl(ctx, "second-factor", login.sealed, login.chosenLocale)}&way=${way}`;
  return refusedAnswer(ctx, http, page, { error } satisfies Refused);
}

/** Restarts the sign-in from its current state; without proven factors, that is its first page. */
export async function restart(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const flow = { ...login.flow, pending: undefined, passkeyChallenge: undefined };
  return flowAnswer(ctx, http, { ...login, flow }, await continueFlow(ctx, userAgentOf(ctx, http), flow));
}

function showChallenge(ctx: Context, http: Http, login: LoginRequest, person: AwaitedPerson): Promise<Response> {
  const theirs = { ...login, person: person.user };
  return showPage(ctx, http, theirs, (page) => challengePage(ctx, http, login, person, page));
}

async function challengePage(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  person: AwaitedPerson,
  { names, frame }: PageContext,
): Promise<PageResponse> {
  const error = carriedRefusal<Refused>(ctx, http, login.form)?.error;
  const { loginName } = person.user;
  const wanted = login.form.get("way");
  const way = person.ways.find((known) => known === wanted) ?? person.ways[0];
  const nobody = { ...login.flow, loginName: "", pending: undefined, selectedSessionId: undefined };
  const notYouHref = loginLink(ctx, "/login", withFlow(ctx, login, nobody));
  const whose = { loginName, notYouHref, ...names };
  if (way === undefined) return noWayPage(whose, frame);
  const others = person.ways
    .filter((other) => other !== way)
    .map((other) => ({ way: other, href: `${loginLink(ctx, "/login/mfa", login)}&way=${other}` }));
  if (way === "passkey") {
    const { options, sealed } = await requestPasskey(ctx, login.flow, person.user);
    const about = { ...whose, others, refused: error === "wrong" };
    const form = { action: "/login/mfa/passkey", fields: { flow: sealed, way }, options };
    return passkeyPage({ ...about, ...form }, frame);
  }
  const channel = await shownChannel(ctx, person, way, error);
  return codePage(
    {
      flow: login.sealed,
      action: "/login/mfa/submit",
      way,
      ...whose,
      others,
      error,
      channel,
    },
    frame,
  );
}

/** Returns the destination of sent codes for the page; undefined for other codes. */
async function shownChannel(
  ctx: Context,
  { user, pending }: AwaitedPerson,
  way: CodeWay,
  error: FactorError | undefined,
): Promise<CodePageProps["channel"]> {
  const channel = findChannel(way);
  if (!channel) return undefined;
  const { kind } = channel;
  const sent = sentCodeOf(pending, kind);
  return {
    kind,
    to: channel.addressOf(user) ?? "",
    sent: sent !== undefined,
    action: "/login/mfa/send",
    sender: await channel.senderOf(ctx, user),
    note: sent && error === undefined ? resendNote(ctx, sent) : undefined,
  };
}

export const secondFactorSubmitRoute = onLogin(async (ctx, http, login) => {
  const { flow, form } = login;
  const by = attemptOf(ctx, http);
  const person = await awaitedPerson(ctx, flow, by.userAgent);
  const wanted = form.get("way");
  const way = (findCodeFactor(wanted) ?? person?.ways.map(findCodeFactor).find((factor) => factor))?.way;
  if (!person) await noteIfLate(ctx, flow, by.userAgent);
  if (!person || way === undefined) return restart(ctx, http, login);
  const attempt = { way, code: form.get("code") ?? "", ...by };
  const outcome = await checkSecondFactor(ctx, flow, attempt);
  switch (outcome.kind) {
    case "restart":
      return restart(ctx, http, login);
    case "refused":
      return refusedChallenge(ctx, http, login, way, outcome.reason);
    case "signed-in":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return flowAnswer(ctx, http, login, outcome.outcome);
  }
});

export const secondFactorPasskeyRoute = onLogin(async (ctx, http, login) => {
  const attempt = { credential: login.form.get("credential") ?? "", ...attemptOf(ctx, http) };
  const outcome = await confirmWithPasskey(ctx, login.flow, attempt);
  if (outcome.kind === "signed-in") {
    setUserAgentCookie(ctx, http, outcome.userAgentToken);
    return flowAnswer(ctx, http, login, outcome.outcome);
  }
  return outcome.kind === "restart"
    ? restart(ctx, http, login)
    : refusedChallenge(ctx, http, login, "passkey", "wrong");
});

export const secondFactorSendRoute = onLogin(async (ctx, http, login) => {
  const way = (findChannel(login.form.get("way")) ?? mailedFactor.channel).kind;
  const outcome = await sendFactorCode(ctx, login.flow, { way, ...attemptOf(ctx, http) });
  switch (outcome.kind) {
    case "restart":
      return restart(ctx, http, login);
    case "too-many":
      return refusedChallenge(ctx, http, login, way, "too-many-mails");
    case "sent":
      return redirectAnswer(http, `${screenUrl(ctx, "second-factor", outcome.flow, login.chosenLocale)}&way=${way}`);
  }
});
