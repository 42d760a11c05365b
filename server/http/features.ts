/** The addresses of the feature API and of the instance's security settings. Bearer only, like every management API. */
import type { Caller } from "../access/caller";
import { deleteFeatures, type FeatureChange, type FeatureLevel, getFeatures, putFeatures } from "../access/features";
import { getSecuritySettings, putSecuritySettings } from "../access/security-settings";
import type { Context } from "../context";
import { type ApiError, isApiError } from "../protocol/api-error";
import { apiAnswer, apiErrorAnswer, callerOf, jsonBody } from "./api-errors";
import type { Http } from "./env";
import type { Handler, Methods, Routes } from "./routes";

/** A handler for authenticated callers. */
function forCallers(work: (ctx: Context, http: Http, caller: Caller) => Promise<object | ApiError>): Handler {
  return async (ctx, http) => {
    const caller = await callerOf(ctx, http);
    return isApiError(caller) ? apiErrorAnswer(http, caller) : apiAnswer(http, await work(ctx, http, caller));
  };
}

const answerDetails = async (details: Promise<object | ApiError>) => {
  const result = await details;
  return isApiError(result) ? result : { details: result };
};

function featureMethods(level: FeatureLevel): Methods {
  const changeOf = (http: Http, caller: Caller): FeatureChange => ({
    caller,
    level,
    // Whose features of a user are: those of the caller's own organization are asked for.
    organizationId: level === "organization" ? http.req.param("id") : caller.organizationId,
    requestId: http.get("requestId"),
  });
  return {
    GET: forCallers((ctx, http) => getFeatures(ctx, level, http.req.query("inheritance") === "true")),
    PUT: forCallers(async (ctx, http, caller) => {
      const body = await jsonBody(http);
      return isApiError(body) ? body : answerDetails(putFeatures(ctx, changeOf(http, caller), body));
    }),
    DELETE: forCallers((ctx, http, caller) => answerDetails(deleteFeatures(ctx, changeOf(http, caller)))),
  };
}

export const featureRoutes: Routes = {
  "/v2/features/system": featureMethods("system"),
  "/v2/features/instance": featureMethods("instance"),
  "/v2/features/organization/:id": featureMethods("organization"),
  "/v2/features/user/:id": featureMethods("user"),
  "/v2/settings/security": { GET: forCallers((ctx, _, caller) => getSecuritySettings(ctx, caller)) },
  "/v2/policies/security": {
    PUT: forCallers(async (ctx, http, caller) => {
      const body = await jsonBody(http);
      return isApiError(body)
        ? body
        : answerDetails(putSecuritySettings(ctx, { caller, requestId: http.get("requestId") }, body));
    }),
  },
};
