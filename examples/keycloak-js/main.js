import Keycloak from "keycloak-js";

const keycloak = new Keycloak({ clientId: "demo-client", oidcProvider: "http://localhost:8080" });
const signedIn = await keycloak.init({
  checkLoginIframe: false, // it needs session management, which few services have
  pkceMethod: "S256",
  redirectUri: "http://localhost:5175/callback",
  scope: "openid profile email",
});

const button = document.createElement("button");
button.textContent = signedIn ? "Sign out " + (await keycloak.loadUserInfo()).name : "Sign in";
button.addEventListener("click", () => (signedIn ? keycloak.logout() : keycloak.login()));
document.body.append(button);
