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
import { mailedFactor } from "../../login/factors/mailed-factor";
import { confirmWithPasskey } from "../../login/factors/passkey";
import { requestPasskey } from "../../login/factors/passkey-request";
import { awaitedPerson, checkSecondFactor, sendFactorCode } from "../../login/factors/second-factor";
import { findChannel, findCodeFactor } from "../../login/factors/table";
import { noteIfLate } from "../../login/note-attempt";
import { sentCodeOf } from "../../oidc/pending-sign-in";
import type { CodeWay, FactorWay } from "../../protocol/second-factor";
import { redirectAnswer, screenUrl } from "../authorization";
import type { PageFrame, PageResponse } from "../pages/render";
import { refusalOf, refusedAnswer } from "../refusal";
import { onStep, showPage } from "./page";
import { resendNote } from "./resend-note";
import { codePage, noWayPage, passkeyPage } from "./second-factor-pages";
import { flowAnswer, type Step, stepLink, withFlow } from "./step";

export const secondFactorPageRoute = onStep(async (ctx, http, step) => {
  const person = await awaitedPerson(ctx, step.flow, userAgentOf(ctx, http));
  if (!person) return restart(ctx, http, step);
  if (!person.isProtected) return redirectAnswer(http, screenUrl(ctx, "set-up-factor", step.sealed, step.chosenLocale));
  return showChallenge(ctx, http, step, person);
});

interface Refused {
  error: FactorError;
}

/** Redirects to the challenge, which says what was wrong. */
function refusedChallenge(ctx: Context, http: Http, step: Step, way: FactorWay, error: FactorError): Response {
  const page = `${screenUrl(ctx, "second-factor", step.sealed, step.chosenLocale)}&way=${way}`;
  return refusedAnswer(ctx, http, page, { error } satisfies Refused);
}

/** The sign-in from its current state, which without proven factors is its first page. */
export async function restart(ctx: Context, http: Http, step: Step): Promise<Response> {
  const flow = { ...step.flow, pending: undefined, passkeyChallenge: undefined };
  return flowAnswer(ctx, http, { ...step, flow }, await continueFlow(ctx, userAgentOf(ctx, http), flow));
}

function showChallenge(ctx: Context, http: Http, step: Step, person: AwaitedPerson): Promise<Response> {
  return showPage(ctx, http, step, ({ names, frame }) => challengePage(ctx, http, step, person, names.appName, frame));
}

async function challengePage(
  ctx: Context,
  http: Http,
  step: Step,
  person: AwaitedPerson,
  appName: string | undefined,
  frame: PageFrame,
): Promise<PageResponse> {
  const error = refusalOf<Refused>(ctx, http, step.form)?.error;
  const { loginName, organizationName } = person.user;
  const wanted = step.form.get("way");
  const way = person.ways.find((known) => known === wanted) ?? person.ways[0];
  const nobody = { ...step.flow, loginName: "", pending: undefined, selectedSessionId: undefined };
  const notYouHref = stepLink(ctx, "/login", withFlow(ctx, step, nobody));
  const whose = { loginName, notYouHref, organizationName, appName };
  if (way === undefined) return noWayPage(whose, frame);
  const others = person.ways
    .filter((other) => other !== way)
    .map((other) => ({ way: other, href: `${stepLink(ctx, "/login/mfa", step)}&way=${other}` }));
  if (way === "passkey") {
    const { options, sealed } = await requestPasskey(ctx, step.flow, person.user);
    const about = { ...whose, others, refused: error === "wrong" };
    const form = { action: "/login/mfa/passkey", fields: { flow: sealed, way }, options };
    return passkeyPage({ ...about, ...form }, frame);
  }
  const channel = await shownChannel(ctx, person, way, error);
  return codePage(
    {
      flow: step.sealed,
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

/** What the page of codes that are sent says of where they go; undefined for other codes. */
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

export const secondFactorSubmitRoute = onStep(async (ctx, http, step) => {
  const { flow, form } = step;
  const by = attemptOf(ctx, http);
  const person = await awaitedPerson(ctx, flow, by.userAgent);
  const wanted = form.get("way");
  const way = (findCodeFactor(wanted) ?? person?.ways.map(findCodeFactor).find((factor) => factor))?.way;
  if (!person) await noteIfLate(ctx, flow, by.userAgent);
  if (!person || way === undefined) return restart(ctx, http, step);
  const attempt = { way, code: form.get("code") ?? "", ...by };
  const outcome = await checkSecondFactor(ctx, flow, attempt);
  switch (outcome.kind) {
    case "restart":
      return restart(ctx, http, step);
    case "refused":
      return refusedChallenge(ctx, http, step, way, outcome.reason);
    case "signed-in":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return flowAnswer(ctx, http, step, outcome.outcome);
  }
});

export const secondFactorPasskeyRoute = onStep(async (ctx, http, step) => {
  const attempt = { credential: step.form.get("credential") ?? "", ...attemptOf(ctx, http) };
  const outcome = await confirmWithPasskey(ctx, step.flow, attempt);
  if (outcome.kind === "signed-in") {
    setUserAgentCookie(ctx, http, outcome.userAgentToken);
    return flowAnswer(ctx, http, step, outcome.outcome);
  }
  return outcome.kind === "restart" ? restart(ctx, http, step) : refusedChallenge(ctx, http, step, "passkey", "wrong");
});

export const secondFactorSendRoute = onStep(async (ctx, http, step) => {
  const way = (findChannel(step.form.get("way")) ?? mailedFactor.channel).kind;
  const outcome = await sendFactorCode(ctx, step.flow, { way, ...attemptOf(ctx, http) });
  switch (outcome.kind) {
    case "restart":
      return restart(ctx, http, step);
    case "too-many":
      return refusedChallenge(ctx, http, step, way, "too-many-mails");
    case "sent":
      return redirectAnswer(http, `${screenUrl(ctx, "second-factor", outcome.flow, step.chosenLocale)}&way=${way}`);
  }
});
