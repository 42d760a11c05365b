/** `Continue to <app> as <user>` at the edge (contract §4). Looking at the page decides nothing; the form posts. */

import type { Context } from "../../context";
import { answerApplication, waitingApplication } from "../../login/confirm-application";
import { continueFlow } from "../../login/continue-flow";
import { sealFlow } from "../../oidc/flow";
import { pageAnswer, screenUrl } from "../authorization";
import type { Http } from "../env";
import { continuePage } from "../pages/public-pages";
import { userAgentOf } from "../request";
import { flowAnswer, openStep, settingOf } from "./step";

export async function continuePageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const userAgent = userAgentOf(ctx, http);
  const waiting = await waitingApplication(ctx, step.flow, userAgent);
  // Answered before, signed out meanwhile, or another browser: the flow knows where it stands.
  if (!waiting) return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgent, step.flow));
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const { flow, session, disclosures } = waiting;
  const otherAccount = sealFlow(ctx, { ...flow, authenticatedSessionId: undefined, selectedSessionId: undefined });
  const page = continuePage(
    {
      flow: step.sealed,
      action: "/login/continue/submit",
      appName: waiting.client.appName,
      displayName: session.displayName,
      loginName: session.loginName,
      disclosures,
      destination: destinationOf(flow.request.redirectUri),
      otherAccountHref: screenUrl(ctx, "select-account", otherAccount, step.chosenLocale),
      organizationName: setting.names.organizationName,
    },
    setting.frame,
  );
  return pageAnswer(http, page);
}

export async function continueSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const agreed = !step.form.has("deny");
  const outcome = await answerApplication(ctx, step.flow, agreed, userAgentOf(ctx, http), http.get("requestId"));
  return flowAnswer(ctx, http, step, outcome);
}

/** Host of a web address, scheme of an installed program's: what tells one place from another. */
function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol;
}
