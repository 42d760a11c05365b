/** A single-page application with oidc-client, oidc-client-ts's ancestor, for the implicit flow that ended with it. */
import { UserManager, type UserManagerSettings, WebStorageStateStore } from "oidc-client";

declare global {
  interface Window {
    implicitSettings: UserManagerSettings;
    implicitManager: UserManager;
  }
}

const store = new WebStorageStateStore({ store: localStorage });
window.implicitManager = new UserManager({ ...window.implicitSettings, userStore: store });
const isFrame = window.parent !== window;
if (location.pathname === "/callback") {
  if (isFrame) await window.implicitManager.signinSilentCallback();
  else await window.implicitManager.signinRedirectCallback();
}
const user = await window.implicitManager.getUser();
const heading = document.createElement("h1");
heading.textContent = user ? `Signed in as ${user.profile.sub}` : "Nobody is signed in";
document.body.append(heading);
