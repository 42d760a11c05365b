/** simple-oauth2: its three grants, and `revokeAll`, which wants JSON of an answer without content. */
import { AuthorizationCode, ClientCredentials } from "simple-oauth2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientApp, withApps } from "../../testing/client-apps";
import { SECRET } from "../../testing/example";
import { type ServiceOnAPort, serviceOnAPort, surfer } from "../../testing/on-a-port";

const ORIGIN = "http://localhost:3000"; // no server: the walk ends before it

describe("simple-oauth2 with its defaults", () => {
  let service: ServiceOnAPort;
  beforeAll(async () => {
    const grantTypes = [
      "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
      "OIDC_GRANT_TYPE_REFRESH_TOKEN",
      "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS",
    ];
    service = await serviceOnAPort(withApps(clientApp("web", ORIGIN, { grantTypes })));
  });
  afterAll(() => service.close());

  const client = { id: "web", secret: SECRET };
  const endpoints = () => ({
    tokenHost: service.origin,
    tokenPath: "/oauth/v2/token",
    revokePath: "/oauth/v2/revoke",
  });
  const asks = (token: unknown) =>
    fetch(`${service.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });

  it("signs in, refreshes and revokes its tokens", async () => {
    const auth = { ...endpoints(), authorizePath: "/oauth/v2/authorize" };
    const flow = new AuthorizationCode({ client, auth });
    const redirect_uri = `${ORIGIN}/callback`;
    const scope = ["openid", "offline_access"];
    const start = flow.authorizeURL({ redirect_uri, scope, state: "s" });
    const { url } = await surfer(service.origin).open(start, ORIGIN);
    const first = await flow.getToken({ code: url.searchParams.get("code") ?? "", redirect_uri });
    expect(first.expired()).toBe(false);
    const second = await first.refresh();
    expect((await asks(second.token.access_token)).status).toBe(200);
    await second.revokeAll();
    expect((await asks(second.token.access_token)).status).toBe(401);
    await expect(second.refresh()).rejects.toMatchObject({ data: { payload: { error: "invalid_grant" } } });
  });

  it("gets a token for itself", async () => {
    const { token } = await new ClientCredentials({ client, auth: endpoints() }).getToken({ scope: "openid" });
    expect(token).toMatchObject({ token_type: "Bearer", scope: "openid" });
  });
});
