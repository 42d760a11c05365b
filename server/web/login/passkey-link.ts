/** The page of the link with which a user adds a passkey. Opening it consumes nothing; adding the passkey does. */
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import { causeOfRequest } from "../../http/request";
import { keepPasskeyByLink, type OpenPasskeyLink, openPasskeyLink } from "../../login/factors/passkey-link";
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { sealFlow } from "../../oidc/flow";
import { redirectAnswer } from "../authorization";
import { carriedRefusal, refusedAnswer } from "../refusal";
import { doneUrl, linkDead, linkUrl, withFlow } from "./answers";
import { type LoginRequest, onDirectLogin } from "./login-request";
import { showPage } from "./page-context";
import { newPasskeyPage, recoveryCodesPage } from "./second-factor-pages";

const PATH = "/login/passkey/new";
/** The page for a user whose link no longer works; an administrator can send another one. */
const SIGN_IN = "/login";

export const passkeyLinkPageRoute = onDirectLogin("account", async (ctx, http, login) => {
  const token = login.form.get("token") ?? "";
  const link = await openPasskeyLink(ctx, token);
  if ("usedAt" in link) return linkDead(ctx, http, login, SIGN_IN, link.usedAt);
  const { user, flow } = link;
  return showPage(ctx, http, withFlow(ctx, login, flow), async ({ names, frame }) => {
    const refused = carriedRefusal(ctx, http, login.form) !== undefined;
    const { options, sealed } = await requestNewPasskey(ctx, user);
    return newPasskeyPage(
      {
        action: `${PATH}/submit`,
        fields: { token, enrolment: sealed },
        options,
        refused,
        loginName: user.loginName,
        organizationName: names.organizationName,
      },
      frame,
    );
  });
});

export const passkeyLinkSubmitRoute = onDirectLogin("account", async (ctx, http, login) => {
  const { form } = login;
  const made = { sealed: form.get("enrolment") ?? "", credential: form.get("credential") ?? "" };
  const cause = causeOfRequest(ctx, http);
  const outcome = await keepPasskeyByLink(ctx, form.get("token") ?? "", { ...made, cause });
  switch (outcome.kind) {
    case "dead":
      return linkDead(ctx, http, login, SIGN_IN, outcome.usedAt);
    case "refused":
      return refusedAnswer(ctx, http, linkUrl(ctx, PATH, login), {});
    case "added":
      return added(ctx, http, login, outcome.link, outcome.recoveryCodes);
  }
});

/** Shows the recovery codes if there are any, else a confirmation. */
async function added(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  { flow }: OpenPasskeyLink,
  codes: readonly string[] | undefined,
): Promise<Response> {
  const next = withFlow(ctx, login, flow);
  if (!codes) return redirectAnswer(http, doneUrl(ctx, "passkey-added", flow, next));
  return showPage(ctx, http, next, ({ names, frame }) =>
    recoveryCodesPage(
      {
        codes,
        action: "/login/mfa/continue",
        fields: { flow: sealFlow(ctx, flow) },
        organizationName: names.organizationName,
      },
      frame,
    ),
  );
}
