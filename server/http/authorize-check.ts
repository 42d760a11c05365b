/** `POST /v2/oidc/authorize_check`: says to an administrator which rule an authorization address breaks first. */
import { checkAuthorizeUrl } from "../access/authorize-check";
import type { Context } from "../context";
import { isApiError } from "../protocol/api-error";
import { apiAnswer, apiErrorAnswer, callerOf, jsonBody } from "./api-errors";
import type { Http } from "./env";
import type { Routes } from "./routes";

async function authorizeCheckRoute(ctx: Context, http: Http): Promise<Response> {
  const caller = await callerOf(ctx, http);
  if (isApiError(caller)) return apiErrorAnswer(http, caller);
  const body = await jsonBody(http);
  if (isApiError(body)) return apiErrorAnswer(http, body);
  const url = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
  return apiAnswer(http, await checkAuthorizeUrl(ctx, caller, url));
}

export const authorizeCheckRoutes: Routes = {
  "/v2/oidc/authorize_check": { POST: authorizeCheckRoute },
};
