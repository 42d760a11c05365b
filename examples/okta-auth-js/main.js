import { OktaAuth } from "@okta/okta-auth-js";

const issuer = "http://localhost:8080";
const okta = new OktaAuth({
  issuer,
  clientId: "demo-client",
  redirectUri: "http://localhost:5176/callback",
  postLogoutRedirectUri: "http://localhost:5176/",
  scopes: ["openid", "profile", "email"],
  // Without these it asks at Okta's paths.
  authorizeUrl: issuer + "/oauth/v2/authorize",
  tokenUrl: issuer + "/oauth/v2/token",
  userinfoUrl: issuer + "/oidc/v1/userinfo",
  revokeUrl: issuer + "/oauth/v2/revoke",
  logoutUrl: issuer + "/oidc/v1/end_session",
});

if (okta.isLoginRedirect()) {
  const { tokens } = await okta.token.parseFromUrl();
  okta.tokenManager.setTokens(tokens);
  history.replaceState(null, "", "/");
}

const signedIn = await okta.isAuthenticated();
const button = document.createElement("button");
button.textContent = signedIn ? "Sign out " + (await okta.token.getUserInfo()).name : "Sign in";
button.addEventListener("click", () => (signedIn ? okta.signOut() : okta.token.getWithRedirect()));
document.body.append(button);
