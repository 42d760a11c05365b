import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: "http://localhost:8080",
  client_id: "demo-client",
  redirect_uri: "http://localhost:5173/callback",
  post_logout_redirect_uri: "http://localhost:5173/",
  scope: "openid profile email",
  loadUserInfo: true, // name and email come from userinfo
});

if (location.pathname === "/callback" && location.search !== "") {
  await manager.signinCallback();
  history.replaceState(null, "", "/");
}

const user = await manager.getUser();
const button = document.createElement("button");
button.textContent = user ? "Sign out " + user.profile.name : "Sign in";
button.addEventListener("click", () => (user ? manager.signoutRedirect() : manager.signinRedirect()));
document.body.append(button);
