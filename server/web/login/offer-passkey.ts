/**
 * "Sign in faster next time": a passkey, offered once in a while to somebody who has just typed their password. The
 * sign-in waits behind it; whoever closes the page is not asked again for as long as "Not now" counts (rule PAGE-5).
 */
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { showPage } from "./page";
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
