/** The page that asks for the login name and password of an LDAP directory, and its form. */
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { findPolicy } from "../../directory/policy/policies";
import type { Http } from "../../http/env";
import { attemptOf } from "../../http/request";
import { isCancellable } from "../../login/confirm-application";
import { findOfferedDirectory, signInAtDirectory } from "../../login/providers/directory-sign-in";
import { knownLoginName } from "../../login/sign-in";
import { refusedFlow, scopeOf, sealFlow } from "../../oidc/flow";
import { identityProviderOf } from "../../protocol/scope";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { signInPage } from "../pages/public-pages";
import { directoryUrl, loginLink } from "./answers";
import { finishAnswer } from "./identity-providers";
import { type LoginRequest, onLogin } from "./login-request";
import { onPage, type PageContext } from "./page-context";
import { cancelled, errorNow } from "./sign-in";

const providerIdOf = (http: Http): string => http.req.param("id") ?? "";

export const directoryPageRoute = onPage(async (ctx, http, login, page) => {
  const directory = await findOfferedDirectory(ctx, login.flow, providerIdOf(http));
  if (!directory) return directoryGone(ctx, http, login);
  const props = {
    flow: login.sealed,
    action: `/idps/${encodeURIComponent(directory.id)}/ldap`,
    loginName: knownLoginName(login.flow),
    asks: "both" as const,
    ...errorNow(ctx, login.flow),
    ...page.names,
    directory: { name: directory.name, otherWaysHref: await otherWays(ctx, login, page, directory) },
    isCancellable: isCancellable(login.flow),
  };
  return pageAnswer(http, signInPage(props, page.frame));
});

/** Returns the link to the sign-in page; undefined if that would lead back here. */
async function otherWays(ctx: Context, login: LoginRequest, page: PageContext, { id }: IdentityProvider) {
  const { allowUsernamePassword } = await findPolicy(ctx, "login", page.policyOwnerId);
  const isRequested = identityProviderOf(scopeOf(login.flow)) === id;
  return isRequested || login.flow.linkTo || !allowUsernamePassword ? undefined : loginLink(ctx, "/login", login);
}

export const directorySubmitRoute = onLogin(async (ctx, http, login) => {
  const { flow, form, chosenLocale } = login;
  if (form.has("cancel")) return cancelled(ctx, http, login);
  const id = providerIdOf(http);
  const [loginName, password] = [form.get("loginName") ?? "", form.get("password") ?? ""];
  const outcome = await signInAtDirectory(ctx, flow, id, {
    ...attemptOf(ctx, http),
    loginName,
    password,
    chosenLocale,
  });
  if (outcome.kind === "gone") return directoryGone(ctx, http, login);
  if (outcome.kind !== "again") return finishAnswer(ctx, http, outcome);
  return redirectAnswer(http, directoryUrl(ctx, outcome, chosenLocale));
});

function directoryGone(ctx: Context, http: Http, { flow, chosenLocale }: LoginRequest): Response {
  const refused = sealFlow(ctx, refusedFlow(flow, { error: "provider-refused" }));
  return redirectAnswer(http, screenUrl(ctx, "login", refused, chosenLocale));
}
