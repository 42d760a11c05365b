// Applications that run in the browser only and have no secret: PKCE protects the code (RFC 7636).
import { originOf, pathOfAddress, quoted, type Snippet } from "./snippet";

const HOME = "http://localhost:5173/";
const addresses = { redirectUri: `${HOME}callback`, postLogoutRedirectUri: HOME };

const page = (script: string) => ({
  name: "index.html",
  code: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>App</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/${script}"></script>
  </body>
</html>
`,
});

/** The address after sign-out: the registered one, else the origin of the app. */
const homeOf = (redirectUri: string | undefined, postLogoutRedirectUri: string | undefined) =>
  postLogoutRedirectUri ?? `${originOf(redirectUri, "http://localhost:5173")}/`;

export const singlePage: Snippet = {
  id: "spa",
  title: "JavaScript · oidc-client-ts",
  kinds: ["browser"],
  addresses,
  install: "npm install vite oidc-client-ts",
  run: "npx vite",
  files({ issuer, clientId, redirectUri, postLogoutRedirectUri }) {
    return [
      page("main.js"),
      {
        name: "main.js",
        code: `import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(homeOf(redirectUri, postLogoutRedirectUri))},
  scope: "openid profile email",
  loadUserInfo: true, // name and email come from userinfo
});

if (location.pathname === ${quoted(pathOfAddress(redirectUri, "/callback"))} && location.search !== "") {
  await manager.signinCallback();
  history.replaceState(null, "", "/");
}

const user = await manager.getUser();
const button = document.createElement("button");
button.textContent = user ? "Sign out " + user.profile.name : "Sign in";
button.addEventListener("click", () => (user ? manager.signoutRedirect() : manager.signinRedirect()));
document.body.append(button);
`,
      },
    ];
  },
};

export const react: Snippet = {
  id: "react",
  title: "React · react-oidc-context",
  kinds: ["browser"],
  addresses,
  install: "npm install vite react react-dom oidc-client-ts react-oidc-context",
  run: "npx vite",
  files: ({ issuer, clientId, redirectUri, postLogoutRedirectUri }) => [
    page("main.jsx"),
    {
      name: "main.jsx",
      code: `/** @jsxRuntime automatic */
import { createRoot } from "react-dom/client";
import { AuthProvider, useAuth } from "react-oidc-context";

const settings = {
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(homeOf(redirectUri, postLogoutRedirectUri))},
  scope: "openid profile email",
  loadUserInfo: true, // name and email come from userinfo
  onSigninCallback: () => history.replaceState(null, "", "/"),
};

function App() {
  const auth = useAuth();
  if (auth.isLoading) return null;
  if (auth.error) return <p role="alert">{auth.error.message}</p>;
  return auth.isAuthenticated ? (
    <button onClick={() => auth.signoutRedirect()}>Sign out {auth.user.profile.name}</button>
  ) : (
    <button onClick={() => auth.signinRedirect()}>Sign in</button>
  );
}

createRoot(document.getElementById("root")).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
);
`,
    },
  ],
};

export const keycloakJs: Snippet = {
  id: "keycloak-js",
  title: "JavaScript · keycloak-js",
  kinds: ["browser"],
  addresses,
  install: "npm install vite keycloak-js",
  run: "npx vite",
  files: ({ issuer, clientId, redirectUri }) => [
    page("main.js"),
    {
      name: "main.js",
      code: `import Keycloak from "keycloak-js";

const keycloak = new Keycloak({ clientId: ${quoted(clientId)}, oidcProvider: ${quoted(issuer)} });
const signedIn = await keycloak.init({
  checkLoginIframe: false, // it needs session management, which few services have
  pkceMethod: "S256",
  redirectUri: ${quoted(redirectUri)},
  scope: "openid profile email",
});

const button = document.createElement("button");
button.textContent = signedIn ? "Sign out " + (await keycloak.loadUserInfo()).name : "Sign in";
button.addEventListener("click", () => (signedIn ? keycloak.logout() : keycloak.login()));
document.body.append(button);
`,
    },
  ],
};

export const oktaAuthJs: Snippet = {
  id: "okta-auth-js",
  title: "JavaScript · okta-auth-js",
  kinds: ["browser"],
  addresses,
  install: "npm install vite @okta/okta-auth-js",
  run: "npx vite",
  files: ({ issuer, clientId, redirectUri, postLogoutRedirectUri }) => [
    page("main.js"),
    {
      name: "main.js",
      code: `import { OktaAuth } from "@okta/okta-auth-js";

const issuer = ${quoted(issuer)};
const okta = new OktaAuth({
  issuer,
  clientId: ${quoted(clientId)},
  redirectUri: ${quoted(redirectUri)},
  postLogoutRedirectUri: ${quoted(homeOf(redirectUri, postLogoutRedirectUri))},
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
`,
    },
  ],
};
