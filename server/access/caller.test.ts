import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRPC_CODES, isApiError } from "../protocol/api-error";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { authorize, redeem, type Tokens } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";
import { authenticateCaller, bearerCredentials } from "./caller";

const AUDIENCE_SCOPE = "openid urn:service:iam:org:project:id:service:aud";

describe.each(ruleDatabases)("the authentication of callers of a management API (RFC 6750 §2.1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const tokens = async (scope: string): Promise<Tokens> => {
    const code = (await authorize(service.browser(), { scope })).get("code") ?? "";
    return (await redeem(service, code)).json() as Promise<Tokens>;
  };
  const refusal = async (authorization: string | undefined) => {
    const caller = await authenticateCaller(service.ctx, { ...bearerCredentials(""), authorization });
    return isApiError(caller) ? { code: caller.code, id: caller.id } : caller;
  };

  it("accepts a token with the audience scope and returns its user and their organization", async () => {
    const { access_token } = await tokens(AUDIENCE_SCOPE);
    const authentication = { sessionId: expect.any(String), authTime: expect.any(Number), amr: "pwd" };
    const caller = { userId: "u-ada", organizationId: "acme", clientId: "web", authentication };
    expect(await authenticateCaller(service.ctx, bearerCredentials(access_token))).toEqual(caller);
    expect(
      await authenticateCaller(service.ctx, { ...bearerCredentials(""), authorization: `bearer  ${access_token}` }),
    ).toEqual(caller);
  });

  it("rejects a missing token, an id_token, a refresh token, a modified token, and another scheme", async () => {
    const { access_token, id_token, refresh_token } = await tokens(`${AUDIENCE_SCOPE} offline_access`);
    expect(await refusal(undefined)).toEqual({ code: GRPC_CODES.unauthenticated, id: "access.token_missing" });
    const wrong = [
      `Bearer ${id_token}`,
      `Bearer ${refresh_token}`,
      `Bearer ${access_token}x`,
      `Basic ${access_token}`,
      access_token,
      `Bearer ${access_token}, Bearer ${access_token}`,
      "Bearer",
    ];
    for (const authorization of wrong) {
      expect(await refusal(authorization)).toEqual({ code: GRPC_CODES.unauthenticated, id: "access.token_invalid" });
    }
  });

  it("rejects a token that was not issued for this service: 401, code 16", async () => {
    const { access_token } = await tokens("openid profile");
    expect(await refusal(`Bearer ${access_token}`)).toEqual({
      code: GRPC_CODES.unauthenticated,
      id: "access.audience_missing",
    });
  });
});
