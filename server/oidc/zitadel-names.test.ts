import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setFeatures } from "../directory/instance-settings";
import { isZitadelCompatible } from "../directory/zitadel-compatibility";
import { exampleBootstrap } from "../testing/example";
import { authorize, redeem, type Tokens } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const OWNER = "iam:user:resourceowner";
const RESERVED = [`urn:zitadel:${OWNER}`, "urn:zitadel:iam:org:id:acme", "urn:zitadel:iam:org:project:id:zitadel:aud"];

describe("scopes and claims under ZITADEL's names", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const turn = (zitadelCompatibility: boolean) =>
    setFeatures({ ...service.ctx, origin: { actor: "system" } }, { zitadelCompatibility });
  const tokensFor = async (scope: string) => {
    const code = (await authorize(service.browser(), { scope }, { loginName: "ada@acme.test" })).get("code") ?? "";
    return (await (await redeem(service, code)).json()) as Tokens;
  };
  const claimsFor = async (scope: string) => {
    const headers = { authorization: `Bearer ${(await tokensFor(scope)).access_token}` };
    const claims = (await (await service.fetch("/oidc/v1/userinfo", { headers })).json()) as object;
    return Object.keys(claims).filter((name) => name.startsWith("urn:"));
  };

  it("are answered in kind while the switch is on, and open the management APIs", async () => {
    await turn(true);
    const { scope, access_token: token } = await tokensFor(`openid ${RESERVED.join(" ")}`);
    expect(scope.split(" ")).toEqual(["openid", ...RESERVED]);
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.fetch("/management/v1/orgs/me", { headers })).status).toBe(200);
    const names = ["id", "name", "primary_domain"];
    expect(await claimsFor(`openid urn:zitadel:${OWNER}`)).toEqual(names.map((name) => `urn:zitadel:${OWNER}:${name}`));
    expect(await claimsFor(`openid urn:service:${OWNER}`)).toEqual(names.map((name) => `urn:service:${OWNER}:${name}`));
    expect(await claimsFor(`openid urn:service:${OWNER} urn:zitadel:${OWNER}`)).toHaveLength(6);
  });

  it("are unknown while it is off", async () => {
    await turn(false);
    expect((await tokensFor(`openid ${RESERVED.join(" ")}`)).scope).toBe("openid");
    expect(await claimsFor(`openid urn:zitadel:${OWNER}`)).toEqual([]);
  });

  it("are switched on by the environment, unless the instance says otherwise", async () => {
    const ctx = { ...service.ctx, config: { ...service.config, isZitadelCompatible: true } };
    expect(await isZitadelCompatible(ctx)).toBe(false);
    await service.ctx.db.prisma.instance.updateMany({ data: { features: {} } });
    await turn(true);
    expect(await isZitadelCompatible({ ...ctx, config: service.config })).toBe(true);
  });
});
