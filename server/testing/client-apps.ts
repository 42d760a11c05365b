/** The apps of third-party client libraries, registered as the console's wizard does. */
import { exampleBootstrap, SECRET } from "./example";

/** Returns an app with default settings: BASIC and the code flow, at the addresses of an application. */
export function clientApp(clientId: string, origin: string, oidc: Record<string, unknown> = {}) {
  return {
    id: `a-${clientId}`,
    name: `App ${clientId}`,
    oidc: {
      clientId,
      clientSecret: SECRET,
      appType: "OIDC_APP_TYPE_WEB",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      redirectUris: [`${origin}/callback`],
      postLogoutRedirectUris: [origin],
      ...oidc,
    },
  };
}

/** Returns Ada's organization with only these apps. */
export function withApps(...apps: readonly object[]) {
  const [acme] = exampleBootstrap.organizations;
  return { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] };
}
