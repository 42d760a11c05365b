/**
 * The addresses of this service as SAML service provider: its metadata, the form with a message, the ACS, and that for
 * single logout.
 */
import type { ErrorKind } from "../../../components/login/error-page";
import type { Context } from "../../context";
import { readCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, isForm } from "../../http/request";
import type { Handler } from "../../http/routes";
import { findServiceMetadata, keepSamlResponse, samlForm } from "../../login/providers/saml";
import { keptLogoutForm, receiveSamlLogout } from "../../login/providers/saml-sign-out";
import { signedOutPath } from "../../login/providers/sign-out";
import { findStarted } from "../../login/providers/start";
import { receivedMessage } from "../../protocol/saml/bindings";
import { pageAnswer, redirectAnswer } from "../authorization";
import { errorFrame, pageFrame } from "../pages/frame";
import { errorPage, formPostPage, signingOutPage } from "../pages/public-pages";
import { continueSignOut } from "./sign-out";

export const SAML_ACS_PATH = "/idps/:id/saml/acs";
/** Bytes of a posted response, whose base64 is encoded once more for the form. */
export const MAX_SAML_FORM = 256 * 1024;

async function refusal(ctx: Context, http: Http, kind: ErrorKind): Promise<Response> {
  return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await errorFrame(ctx, http)));
}

export const samlMetadataRoute: Handler = async (ctx, http) => {
  const metadata = await findServiceMetadata(ctx, http.req.param("id") ?? "");
  if (metadata === undefined) return refusal(ctx, http, "not-found");
  const headers = { "content-type": "application/samlmetadata+xml", "cache-control": "public, max-age=300" };
  return http.body(metadata, 200, headers);
};

/** Shows the form that posts a request to sign in, in the browser that started it, or a message of single logout. */
export const samlRequestRoute: Handler = async (ctx, http) => {
  const state = new URL(http.req.url).searchParams.get("state") ?? "";
  const found = await findStarted(ctx, state, readCookie(ctx, http, "providerSignIn"));
  const isOwn = found?.isOpen && found.started.providerId === http.req.param("id");
  const form = isOwn
    ? await samlForm(ctx, found.started.providerId, found.started)
    : await keptLogoutForm(ctx, http.req.param("id") ?? "", state);
  if (!form) return refusal(ctx, http, "expired-flow");
  const frame = await pageFrame(ctx, http, { requested: found?.started.chosenLocale?.split(" ") });
  return pageAnswer(http, formPostPage(form, frame));
};

/** Takes the response of a provider, which its site posts without our cookies. */
export const samlAcsRoute: Handler = async (ctx, http) => {
  const form = new URLSearchParams(isForm(http) ? await http.req.text() : "");
  const state = form.get("RelayState") ?? "";
  const posted = { state, response: form.get("SAMLResponse") ?? "" };
  if (!(await keepSamlResponse(ctx, http.req.param("id") ?? "", posted))) return refusal(ctx, http, "expired-flow");
  return redirectAnswer(http, `${ctx.config.baseUrl}/idps/callback?${new URLSearchParams({ state })}`);
};

/**
 * Takes a message of single logout by either binding: a provider's request to end sessions, which the browser takes the
 * response to, or its response to ours.
 */
export const samlSloRoute: Handler = async (ctx, http) => {
  const isPost = http.req.method === "POST";
  const query = http.req.url.split("?").slice(1).join("?");
  const parameters = !isPost ? query : isForm(http) ? await http.req.text() : "";
  const message = receivedMessage(isPost ? "post" : "redirect", parameters);
  if (!message || http.req.method === "HEAD") return refusal(ctx, http, "not-found");
  const outcome = await receiveSamlLogout(ctx, http.req.param("id") ?? "", message, attemptOf(ctx, http));
  switch (outcome.kind) {
    case "unknown":
      return refusal(ctx, http, "expired-flow");
    case "refused":
      return refusal(ctx, http, outcome.isLate ? "expired-flow" : "invalid-logout-request");
    case "answered":
      return continueSignOut(ctx, http, outcome.after);
    case "ended": {
      const { next = `${ctx.config.baseUrl}${signedOutPath}`, frames } = outcome;
      // Providers load this address in a frame, where no page of ours is shown.
      const isFramed = http.req.header("sec-fetch-dest") === "iframe";
      if (frames.length === 0 || isFramed) return redirectAnswer(http, next);
      return pageAnswer(http, signingOutPage({ next, frames }, await pageFrame(ctx, http, {})));
    }
  }
};
