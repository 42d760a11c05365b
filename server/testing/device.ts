/** The bootstrap file of the device tests: apps of devices, and a user of another organization. */
import { exampleBootstrap, PASSWORD, SECRET } from "./example";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const [acme] = exampleBootstrap.organizations;
const [shop] = acme?.projects ?? [];
const tv = {
  grantTypes: ["OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  responseTypes: [],
  appType: "OIDC_APP_TYPE_NATIVE",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
};
export const deviceBootstrap = {
  organizations: [
    {
      ...acme,
      projects: [
        {
          ...shop,
          apps: [
            ...(shop?.apps ?? []),
            { name: "TV <b>set</b>", oidc: { clientId: "tv", ...tv } },
            {
              name: "Printer",
              oidc: { clientId: "printer", ...tv, clientSecret: SECRET, authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" },
            },
          ],
        },
        {
          name: "Closed",
          projectRoleCheck: true,
          apps: [{ name: "Closed", oidc: { clientId: "closed", ...tv } }],
        },
      ],
    },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [{ id: "u-eve", userName: "eve", password: PASSWORD, profile: { firstName: "Eve", lastName: "O" } }],
    },
  ],
};

/** The response of the device authorization endpoint. */
export interface Device {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}
