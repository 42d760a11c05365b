/**
 * "Sign in faster next time": a passkey, offered from time to time to a user who has just typed their password. The
 * sign-in waits meanwhile; a user who closes the page is not asked again for the duration of "Not now" (rule PAGE-5).
 */
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { showPage } from "./page-context";
import { offerPasskeyPage } from "./second-factor-pages";
import { onSetUp } from "./set-up-factor";

export const offerPasskeyRoute = onSetUp((ctx, http, login, { user }) =>
  showPage(ctx, http, login, async ({ names, frame }) => {
    const { options, sealed } = await requestNewPasskey(ctx, user);
    return offerPasskeyPage(
      {
        action: "/login/mfa/set-up/passkey/submit",
        fields: { flow: login.sealed, enrolment: sealed },
        options,
        laterAction: "/login/mfa/set-up/later",
        laterFields: { flow: login.sealed },
        loginName: user.loginName,
        ...names,
      },
      frame,
    );
  }),
);
