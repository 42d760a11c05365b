/** The addresses of the sign-in pages (rule PAGE-1) and their handlers. */

import type { Context } from "../../context";
import type { Http } from "../../http/env";
import type { Routes } from "../../http/routes";
import {
  changePasswordPageRoute,
  changePasswordSubmitRoute,
  donePageRoute,
  wellKnownChangePasswordRoute,
} from "./change-password";
import { clientLogoRoute, continuePageRoute, continueSubmitRoute } from "./continue";
import {
  createAccountPageRoute,
  createAccountSubmitRoute,
  verifyEmailPageRoute,
  verifyEmailResendRoute,
  verifyEmailSubmitRoute,
} from "./create-account";
import { directoryPageRoute, directorySubmitRoute } from "./directory-page";
import {
  backchannelLogoutRoute,
  providerCallbackRoute,
  providerFormRoute,
  providerSubmitRoute,
} from "./identity-providers";
import { notMePageRoute, notMeSubmitRoute } from "./not-me";
import { offerPasskeyRoute } from "./offer-passkey";
import { passkeyLinkPageRoute, passkeyLinkSubmitRoute } from "./passkey-link";
import {
  firstPasskeyRoute,
  forgotPasswordPageRoute,
  forgotPasswordSubmitRoute,
  resetPasswordPageRoute,
  resetPasswordSubmitRoute,
} from "./reset-password";
import { SAML_ACS_PATH, samlAcsRoute, samlMetadataRoute, samlRequestRoute, samlSloRoute } from "./saml";
import {
  secondFactorPageRoute,
  secondFactorPasskeyRoute,
  secondFactorSendRoute,
  secondFactorSubmitRoute,
} from "./second-factor";
import {
  setUpAppPageRoute,
  setUpAppSubmitRoute,
  setUpContinueRoute,
  setUpFactorPageRoute,
  setUpLaterRoute,
  setUpPasskeyPageRoute,
  setUpPasskeySubmitRoute,
  setUpSentRoutes,
} from "./set-up-factor";
import {
  cancelRoute,
  passkeySubmitRoute,
  selectAccountPageRoute,
  selectAccountSubmitRoute,
  signInPageRoute,
  signInSubmitRoute,
} from "./sign-in";

export const loginRoutes: Routes = {
  "/login": { GET: signInPageRoute },
  "/login/passkey": { POST: passkeySubmitRoute },
  "/login/passkey/offer": { GET: offerPasskeyRoute },
  "/login/passkey/new": { GET: passkeyLinkPageRoute },
  "/login/passkey/new/submit": { POST: passkeyLinkSubmitRoute },
  "/login/submit": { POST: signInSubmitRoute },
  "/login/idp": { POST: providerSubmitRoute },
  "/login/cancel": { POST: cancelRoute },
  "/login/select-account": { GET: selectAccountPageRoute },
  "/login/select-account/submit": { POST: selectAccountSubmitRoute },
  "/login/continue": { GET: continuePageRoute },
  "/login/continue/submit": { POST: continueSubmitRoute },
  "/login/client-logo": { GET: clientLogoRoute },
  "/login/create-account": { GET: createAccountPageRoute },
  "/login/create-account/submit": { POST: createAccountSubmitRoute },
  "/login/verify-email": { GET: verifyEmailPageRoute },
  "/login/verify-email/submit": { POST: verifyEmailSubmitRoute },
  "/login/verify-email/resend": { POST: verifyEmailResendRoute },
  "/login/forgot-password": { GET: forgotPasswordPageRoute },
  "/login/forgot-password/submit": { POST: forgotPasswordSubmitRoute },
  "/login/reset-password": { GET: resetPasswordPageRoute },
  "/login/reset-password/submit": { POST: resetPasswordSubmitRoute },
  "/login/reset-password/passkey": { POST: firstPasskeyRoute },
  "/login/not-me": { GET: notMePageRoute },
  "/login/not-me/submit": { POST: notMeSubmitRoute },
  "/login/change-password": { GET: changePasswordPageRoute },
  "/login/change-password/submit": { POST: changePasswordSubmitRoute },
  "/login/mfa": { GET: secondFactorPageRoute },
  "/login/mfa/submit": { POST: secondFactorSubmitRoute },
  "/login/mfa/passkey": { POST: secondFactorPasskeyRoute },
  "/login/mfa/send": { POST: secondFactorSendRoute },
  "/login/mfa/set-up": { GET: setUpFactorPageRoute },
  "/login/mfa/set-up/later": { POST: setUpLaterRoute },
  ...setUpSentRoutes,
  "/login/mfa/set-up/app": { GET: setUpAppPageRoute },
  "/login/mfa/set-up/app/submit": { POST: setUpAppSubmitRoute },
  "/login/mfa/set-up/passkey": { GET: setUpPasskeyPageRoute },
  "/login/mfa/set-up/passkey/submit": { POST: setUpPasskeySubmitRoute },
  "/login/mfa/continue": { POST: setUpContinueRoute },
  "/login/done": { GET: donePageRoute },
  "/.well-known/passkey-endpoints": { GET: passkeyEndpointsRoute },
  "/.well-known/change-password": { GET: wellKnownChangePasswordRoute },
};

/**
 * Providers return to the callback from their own site, so no origin is checked: the state and the browser's cookie
 * decide.
 */
export const providerRoutes: Routes = {
  "/idps/callback": { GET: providerCallbackRoute, POST: providerFormRoute },
  "/idps/:id/backchannel_logout": { POST: backchannelLogoutRoute },
  "/idps/:id/ldap": { GET: directoryPageRoute, POST: directorySubmitRoute },
  "/idps/:id/saml/metadata": { GET: samlMetadataRoute },
  "/idps/:id/saml/request": { GET: samlRequestRoute },
  "/idps/:id/saml/slo": { GET: samlSloRoute, POST: samlSloRoute },
  [SAML_ACS_PATH]: { POST: samlAcsRoute },
};

/**
 * Serves the addresses of the passkey pages for password managers (W3C "A Well-Known URL for Relying Party Passkey
 * Endpoints").
 */
export function passkeyEndpointsRoute({ config: { baseUrl } }: Context, http: Http): Response {
  const endpoints = { enroll: `${baseUrl}/account/passkey`, manage: `${baseUrl}/account/security` };
  return http.json(endpoints, 200, { "cache-control": "public, max-age=3600" });
}
