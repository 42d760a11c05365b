/** The apps that the libraries of others sign in to, registered as the console's wizard would. */
import { exampleBootstrap, SECRET } from "./example";

/** An app as it comes: BASIC and the code flow, at the addresses of an application. */
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

/** Ada's organization with these apps and nothing else. */
export function withApps(...apps: readonly object[]) {
  const [acme] = exampleBootstrap.organizations;
  return { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] };
}
