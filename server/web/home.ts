/** The home page: shows that the service runs, and links for integrators. */
import type { Context } from "../context";
import { isEmpty } from "../directory/setup/setup";
import type { Http } from "../http/env";
import { chosenLocaleOf, queryParameters } from "../http/request";
import { pageAnswer } from "./authorization";
import { pageFrame } from "./pages/frame";
import { languageForm } from "./pages/language-form";
import { homePage } from "./pages/public-pages";

export async function homeRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const chosen = chosenLocaleOf(parameters);
  const props = {
    issuer: ctx.config.baseUrl,
    discoveryHref: `${ctx.config.baseUrl}/.well-known/openid-configuration`,
    needsSetup: await isEmpty(ctx),
  };
  return pageAnswer(http, homePage(props, await pageFrame(ctx, http, { chosen }, { languages: languageForm("/") })));
}
