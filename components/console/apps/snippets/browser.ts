// Applications that run in the browser alone, without a secret: the code is protected by PKCE (RFC 7636).
import { originOf, pathOf, quoted, type Snippet } from "./snippet";

export const singlePage: Snippet = {
  id: "spa",
  title: "JavaScript · oidc-client-ts",
  kinds: ["browser"],
  install: "npm install oidc-client-ts",
  run: "npx vite",
  files({ issuer, clientId, redirectUri, postLogoutRedirectUri }) {
    const home = `${originOf(redirectUri, "http://localhost:5173")}/`;
    return [
      {
        name: "main.js",
        code: `import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(postLogoutRedirectUri ?? home)},
  scope: "openid profile email",
  loadUserInfo: true, // name and email come from userinfo
});

if (location.pathname === ${quoted(pathOf(redirectUri, "/callback"))} && location.search !== "") {
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
  install: "npm install oidc-client-ts react-oidc-context",
  run: "npx vite",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "main.jsx",
      code: `import { createRoot } from "react-dom/client";
import { AuthProvider, useAuth } from "react-oidc-context";

const settings = {
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
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
