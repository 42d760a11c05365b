/** The page `Continue to <app> as <user>` (rule PAGE-2). Opening it decides nothing; its form does. */

import type { ContinueProps } from "../../../components/login/continue-page";
import { shownName } from "../../../messages/person-name";
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { findLogo } from "../../directory/app/client-logo";
import type { Http } from "../../http/env";
import { userAgentOf } from "../../http/request";
import { answerApplication, waitingApplication } from "../../login/confirm-application";
import { continueFlow } from "../../login/continue-flow";
import { findScopeDescriptions } from "../../login/scope-descriptions";
import { sealFlow } from "../../oidc/flow";
import type { Client } from "../../protocol/client";
import { clientLogo, clientWords } from "../../protocol/client-words";
import { foreignOrganization } from "../../protocol/trust";
import { screenUrl } from "../authorization";
import { continuePage } from "../pages/public-pages";
import { flowAnswer } from "./answers";
import { onLogin } from "./login-request";
import { showPage } from "./page-context";

export const continuePageRoute = onLogin(async (ctx, http, login) => {
  const userAgent = userAgentOf(ctx, http);
  const waiting = await waitingApplication(ctx, login.flow, userAgent);
  // Answered before, signed out meanwhile, or another browser: the flow determines the next page.
  if (!waiting) return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgent, login.flow));
  const { flow, session, disclosures } = waiting;
  const otherAccount = sealFlow(ctx, { ...flow, authenticatedSessionId: undefined, selectedSessionId: undefined });
  return showPage(ctx, http, { ...login, person: session }, async ({ names, frame }) => {
    const { name: appName, termsUri, policyUri } = clientWords(waiting.client, frame.locale);
    const shown = new URLSearchParams({ client_id: waiting.client.clientId, ui_locales: frame.locale });
    const hasLogo = clientLogo(waiting.client, frame.locale) !== undefined;
    return continuePage(
      {
        flow: login.sealed,
        action: "/login/continue/submit",
        appName,
        logoSrc: hasLogo ? `/login/client-logo?${shown}` : undefined,
        termsUri,
        policyUri,
        displayName: shownName(session, frame.locale),
        loginName: session.loginName,
        disclosures,
        projectScopes: await findScopeDescriptions(ctx, waiting.client.clientId, waiting.added, frame.locale),
        foreignOrganization: foreignOrganization(waiting.client, session),
        knownBy: knownByOf(waiting.client),
        asksForMore: waiting.added.length < waiting.permissions.length,
        lasts: waiting.permissions.includes("offline_access") ? "offline" : "session",
        destination: destinationOf(flow.request.redirectUri),
        otherAccountHref: screenUrl(ctx, "select-account", otherAccount, login.chosenLocale),
        organizationName: names.organizationName,
      },
      frame,
    );
  });
});

/** Serves the logo of a client as pixels that cannot run anything, or 404. */
export async function clientLogoRoute(ctx: Context, http: Http): Promise<Response> {
  const client = await findClient(ctx, http.req.query("client_id") ?? "");
  const address = client && clientLogo(client, http.req.query("ui_locales") ?? "");
  const logo = address === undefined ? undefined : await findLogo(ctx, address);
  const headers = {
    "cache-control": "private, max-age=300",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  };
  if (!logo) return http.body(null, 404, headers);
  return http.body(logo.content, 200, { ...headers, "content-type": logo.contentType });
}

export const continueSubmitRoute = onLogin(async (ctx, http, login) => {
  const agreed = !login.form.has("deny");
  const outcome = await answerApplication(ctx, login.flow, agreed, userAgentOf(ctx, http), http.get("requestId"));
  return flowAnswer(ctx, http, login, outcome);
});

/** Returns how the service knows the client, if no organization answers for it or the operator trusts it. */
function knownByOf({ origin, standing, clientId }: Client): ContinueProps["knownBy"] {
  if (origin === "document") return { host: new URL(clientId).host }; // in ASCII: a name in another script could mislead
  if (origin === "registration") return "registration";
  return standing === "trusted" ? "trust" : undefined;
}

/** Returns the host of a web address, or the scheme of a native application. */
function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol;
}
