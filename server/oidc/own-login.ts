/** Apps with a login of their own: a program with its own pages, which answers by API (login/client). */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import type { Client } from "../protocol/client";
import { asksToManage } from "../protocol/management";
import { transportOf } from "../protocol/response-type";
import { type ApplicationFlow, sealFlow } from "./flow";

/** The app has a login of its own, to which the browser is sent with the request. */
export interface OwnLogin {
  kind: "own-login";
  url: string;
}

/**
 * Returns where the app's own login takes over a request that needs a page (rule LOGIN-3). That login gets a URL to
 * send the browser to, so responses that a page of ours would post, and questions that only our pages ask, stay here.
 */
export function ownLogin(ctx: Context, client: Client, flow: ApplicationFlow): OwnLogin | undefined {
  const { responseMode, scope, prompt } = flow.request;
  const isAsked = client.isThirdParty || asksToManage(scope) || prompt.includes("consent");
  if (client.loginBaseUri === undefined || isAsked || transportOf(responseMode) === "form_post") return undefined;
  const handed = sealFlow(ctx, { ...flow, onceId: newId() });
  return { kind: "own-login", url: `${client.loginBaseUri.replace(/\/+$/, "")}/login?authRequest=${handed}` };
}
