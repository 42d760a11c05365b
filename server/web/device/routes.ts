/**
 * Device authorization (RFC 8628): the endpoint that a device calls, and the pages that its user opens. Typing the code
 * and deciding are posts from our own pages; opening a link decides nothing.
 */

import { DEVICE_OUTCOMES, type DeviceOutcome } from "../../../components/login/device-pages";
import { shownName } from "../../../messages/person-name";
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import { answerForm } from "../../http/oauth";
import {
  chosenLocaleOf,
  formParameters,
  isSameOriginPost,
  pathAndQuery,
  queryParameters,
  userAgentOf,
} from "../../http/request";
import type { Routes } from "../../http/routes";
import { continueFlow } from "../../login/continue-flow";
import { answerDevice, openUserCode, waitingDevice } from "../../login/device";
import { findScopeDescriptions } from "../../login/scope-descriptions";
import { deviceAuthorization } from "../../oidc/endpoints/device-authorization";
import { askedPermissions, resourcesOf } from "../../oidc/resources";
import { clientWords } from "../../protocol/client-words";
import { disclosuresOf } from "../../protocol/consent-required";
import { isError } from "../../protocol/oauth-error";
import { foreignOrganization } from "../../protocol/trust";
import { minutesUntil } from "../../throttle";
import { pageAnswer, redirectAnswer, uiLocalesParameter } from "../authorization";
import { flowAnswer } from "../login/answers";
import { onDirectLogin, onLogin } from "../login/login-request";
import { showPage } from "../login/page-context";
import { pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage } from "../pages/public-pages";
import { carriedRefusal, refusedAnswer } from "../refusal";
import { deviceCodePage, deviceConfirmPage, deviceDonePage } from "./pages";

const deviceAuthorizationRoute = (ctx: Context, http: Http): Promise<Response> =>
  answerForm(ctx, http, "/oauth/v2/device_authorization", (request) =>
    deviceAuthorization(ctx, request, userAgentOf(ctx, http)),
  );

async function codePageRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const given = isError(parameters) ? undefined : parameters;
  const userCode = given?.get("user_code")?.slice(0, 64);
  const languages = languageForm(pathAndQuery(http));
  const frame = await pageFrame(ctx, http, { chosen: chosenLocaleOf(parameters) }, { languages });
  const refused = given && carriedRefusal<RefusedCode>(ctx, http, given);
  return pageAnswer(http, deviceCodePage({ action: "/device/submit", userCode, ...shown(ctx, refused) }, frame));
}

interface RefusedCode {
  error: "missing-code" | "unknown-code" | "throttled";
  /** The code as typed. */
  userCode: string;
  /** Only with `throttled`, in epoch milliseconds. */
  retryAt?: number;
}

/** Returns the error of the last code, while it still applies. */
function shown(ctx: Context, refused: RefusedCode | undefined) {
  if (!refused) return {};
  const { error, userCode, retryAt } = refused;
  if (error !== "throttled") return { error, userCode };
  const retryAfterMinutes = minutesUntil(ctx, retryAt);
  return retryAfterMinutes > 0 ? { error, userCode, retryAfterMinutes } : { userCode };
}

async function codeSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  const chosen = chosenLocaleOf(form);
  if (isError(form) || !isSameOriginPost(ctx, http)) {
    const frame = await pageFrame(ctx, http, { chosen });
    return pageAnswer(http, errorPage({ kind: "cross-site", occurredAt: ctx.clock() }, frame));
  }
  const typed = form.get("user_code") ?? "";
  const refuse = (error: RefusedCode["error"], retryAt?: number) => {
    const refused: RefusedCode = { error, userCode: typed.slice(0, 64), retryAt };
    return refusedAnswer(ctx, http, codePageUrl(ctx, chosen), refused);
  };
  if (typed.trim() === "") return refuse("missing-code");
  const userAgent = userAgentOf(ctx, http);
  const opened = await openUserCode(ctx, typed, userAgent);
  if (opened.kind === "unknown-code") return refuse(opened.kind);
  if (opened.kind === "throttled") return refuse(opened.kind, opened.retryAt);
  const { device } = opened;
  const flow = { kind: "sign-in", startedAt: ctx.clock(), page: "device", device } as const;
  const login = { flow, sealed: "", chosenLocale: chosen, form };
  return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgent, flow));
}

function codePageUrl({ config: { baseUrl } }: Context, chosen: string | undefined): string {
  return chosen === undefined
    ? `${baseUrl}/device`
    : `${baseUrl}/device?${new URLSearchParams({ ui_locales: chosen })}`;
}

const confirmPageRoute = onDirectLogin("account", async (ctx, http, login) => {
  const { device } = login.flow;
  const waiting = device && (await waitingDevice(ctx, device, userAgentOf(ctx, http)));
  if (!waiting) return done(ctx, http, "too-late");
  const { row, client, session } = waiting;
  const permissions = askedPermissions(device.scope, await resourcesOf(ctx, device));
  return showPage(ctx, http, { ...login, person: session }, async ({ names, frame }) =>
    deviceConfirmPage(
      {
        flow: login.sealed,
        action: "/device/confirm/submit",
        appName: clientWords(client, frame.locale).name,
        organizationName: names.organizationName,
        userCode: device.userCode,
        device: row.device ?? undefined,
        address: row.address ?? undefined,
        displayName: shownName(session, frame.locale),
        loginName: session.loginName,
        disclosures: disclosuresOf(permissions, client),
        projectScopes: await findScopeDescriptions(ctx, client.clientId, permissions, frame.locale),
        foreignOrganization: foreignOrganization(client, session),
      },
      frame,
    ),
  );
});

const confirmSubmitRoute = onLogin(async (ctx, http, login) => {
  const { device } = login.flow;
  if (!device) return done(ctx, http, "too-late");
  const allow = login.form.has("allow") && !login.form.has("deny");
  return done(ctx, http, await answerDevice(ctx, device, allow, userAgentOf(ctx, http)), login.chosenLocale);
});

function done(ctx: Context, http: Http, outcome: DeviceOutcome, locale?: string): Response {
  return redirectAnswer(http, `${ctx.config.baseUrl}/device/done?outcome=${outcome}${uiLocalesParameter(locale)}`);
}

/** Shows the final page, whose fixed text is chosen by a known keyword, so that no one can inject text. */
async function donePageRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const given = isError(parameters) ? undefined : parameters;
  const named = given?.get("outcome") ?? "";
  const outcome = Object.hasOwn(DEVICE_OUTCOMES, named) ? (named as DeviceOutcome) : "too-late";
  const languages = languageForm(`/device/done?outcome=${outcome}`);
  const frame = await pageFrame(ctx, http, { chosen: chosenLocaleOf(parameters) }, { languages });
  return pageAnswer(http, deviceDonePage(outcome, frame));
}

/** The endpoints called by devices. */
export const deviceEndpoints: Routes = {
  "/oauth/v2/device_authorization": { POST: deviceAuthorizationRoute },
};

/** The pages opened by their users. */
export const devicePages: Routes = {
  "/device": { GET: codePageRoute },
  "/device/submit": { POST: codeSubmitRoute },
  "/device/confirm": { GET: confirmPageRoute },
  "/device/confirm/submit": { POST: confirmSubmitRoute },
  "/device/done": { GET: donePageRoute },
};
