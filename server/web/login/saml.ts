/** The addresses of this service as SAML service provider: its metadata, the form with a request, and the ACS. */
import type { Context } from "../../context";
import { readCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { isForm } from "../../http/request";
import type { Handler } from "../../http/routes";
import { findServiceMetadata, keepSamlResponse, samlForm } from "../../login/providers/saml";
import { findStarted } from "../../login/providers/start";
import { pageAnswer, redirectAnswer } from "../authorization";
import { errorFrame, pageFrame } from "../pages/frame";
import { errorPage, formPostPage } from "../pages/public-pages";

export const SAML_ACS_PATH = "/idps/:id/saml/acs";
/** Bytes of a posted response, whose base64 is encoded once more for the form. */
export const MAX_SAML_FORM = 256 * 1024;

async function refusal(ctx: Context, http: Http, kind: "expired-flow" | "not-found"): Promise<Response> {
  return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await errorFrame(ctx, http)));
}

export const samlMetadataRoute: Handler = async (ctx, http) => {
  const metadata = await findServiceMetadata(ctx, http.req.param("id") ?? "");
  if (metadata === undefined) return refusal(ctx, http, "not-found");
  const headers = { "content-type": "application/samlmetadata+xml", "cache-control": "public, max-age=300" };
  return http.body(metadata, 200, headers);
};

/** Shows the form that posts the request to the provider, in the browser that started it. */
export const samlRequestRoute: Handler = async (ctx, http) => {
  const state = new URL(http.req.url).searchParams.get("state") ?? "";
  const found = await findStarted(ctx, state, readCookie(ctx, http, "providerSignIn"));
  const isOwn = found?.isOpen && found.started.providerId === http.req.param("id");
  const form = isOwn ? await samlForm(ctx, found.started.providerId, found.started) : undefined;
  if (!found || !form) return refusal(ctx, http, "expired-flow");
  const frame = await pageFrame(ctx, http, { requested: found.started.chosenLocale?.split(" ") });
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
