/** A single-page application with oidc-client-ts: one page for all of its addresses, including the callback. */
import { UserManager, type UserManagerSettings, WebStorageStateStore } from "oidc-client-ts";

declare global {
  interface Window {
    settings: UserManagerSettings;
    manager: UserManager;
  }
}

const store = new WebStorageStateStore({ store: localStorage }); // shared by the tabs
window.manager = new UserManager({ ...window.settings, userStore: store });
if (location.pathname === "/callback") await window.manager.signinCallback();
if (location.pathname === "/signed-out") await window.manager.signoutCallback();
const user = await window.manager.getUser();
const heading = document.createElement("h1");
heading.textContent = user ? `Signed in as ${user.profile.sub}` : "Nobody is signed in";
document.body.append(heading);
