/** The page of the link "This wasn't me" in a notice. Opening it changes nothing; its form does. */
import { mailMessages } from "../../../messages/mail";
import { NOT_ME_PATH } from "../../directory/mailed-code/not-me-link";
import { attemptOf } from "../../http/request";
import { openNotMeLink, secureAccount } from "../../login/secure-account";
import { redirectAnswer } from "../authorization";
import { baseOfFrame, builtInOn } from "../pages/render";
import { doneUrl, linkDead, withFlow } from "./answers";
import { notMePage } from "./credential-pages";
import { onDirectLogin } from "./login-request";
import { showPage, showTooMany } from "./page-context";

/** The page for a user whose link no longer works. */
const FORGOT_PATH = "/login/forgot-password";

export const notMePageRoute = onDirectLogin("account", async (ctx, http, login) => {
  const token = login.form.get("token") ?? "";
  const link = await openNotMeLink(ctx, token);
  if ("usedAt" in link) return linkDead(ctx, http, login, FORGOT_PATH, link.usedAt);
  const { user, notice, at, flow } = link;
  return showPage(ctx, http, withFlow(ctx, login, flow), ({ names, frame }) =>
    notMePage(
      {
        action: `${NOT_ME_PATH}/submit`,
        token,
        loginName: user.loginName,
        what: builtInOn(frame, mailMessages[baseOfFrame(frame)][notice].name),
        at,
        organizationName: names.organizationName,
      },
      frame,
    ),
  );
});

export const notMeSubmitRoute = onDirectLogin("account", async (ctx, http, login) => {
  const outcome = await secureAccount(ctx, login.form.get("token") ?? "", attemptOf(ctx, http));
  switch (outcome.kind) {
    case "dead":
      return linkDead(ctx, http, login, FORGOT_PATH, outcome.usedAt);
    case "too-many":
      return showTooMany(ctx, http, login);
    case "done":
      return redirectAnswer(http, doneUrl(ctx, outcome.isMailed ? "secured" : "secured-ask", outcome.flow, login));
  }
});
