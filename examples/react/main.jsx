/** @jsxRuntime automatic */
import { createRoot } from "react-dom/client";
import { AuthProvider, useAuth } from "react-oidc-context";

const settings = {
  authority: "http://localhost:8080",
  client_id: "demo-client",
  redirect_uri: "http://localhost:5174/callback",
  post_logout_redirect_uri: "http://localhost:5174/",
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
