/**
 * The front door: says that the service runs, and where integrators find the rest.
 */
import type { Context } from "../context";
import { isEmpty } from "../directory/setup";
import { isError } from "../protocol/oauth-error";
import { pageAnswer } from "./authorization";
import type { Http } from "./env";
import { pageFrame } from "./pages/frame";
import { homePage, languageForm } from "./pages/public-pages";
import { queryParameters } from "./request";

export async function homeRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const chosen = isError(parameters) ? undefined : parameters.get("ui_locales");
  const props = {
    issuer: ctx.config.baseUrl,
    discoveryHref: `${ctx.config.baseUrl}/.well-known/openid-configuration`,
    needsSetup: await isEmpty(ctx),
  };
  return pageAnswer(http, homePage(props, await pageFrame(ctx, http, { chosen }, { languages: languageForm("/") })));
}
