import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertPasskey } from "../../storage/factor/passkeys";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const LOGIN = "/management/v1/policies/login";
const INSTANCE = "/admin/v1/policies/login";
const OFF = { allowUsernamePassword: false };
const LOCKED_OUT = { status: 400, id: "policy.would_lock_out" };
const NO_OWNER_LEFT = { status: 400, id: "policy.would_lock_out_owners" };
const TOO_HIGH = { status: 403, id: "access.higher_role" };
const [acme] = exampleBootstrap.organizations;
const person = (id: string, roles: string[]) => ({
  id,
  userName: id,
  password: PASSWORD,
  roles,
  profile: { firstName: id, lastName: "Test" },
  email: { email: `${id}@acme.test`, isEmailVerified: true },
});
const bootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), person("sett", ["ORG_SETTINGS_MANAGER"]), person("carl", [])] },
    {
      id: "navy",
      name: "Navy",
      domains: [{ domain: "navy.test", verified: true, primary: true }],
      users: [person("nina", ["ORG_OWNER"])],
    },
  ],
};

describe.each(ruleDatabases)("disabling password sign-in, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const name of ["ada@acme.test", "sett", "nina@navy.test"]) tokens[name] = await apiToken(service, name);
  });
  afterAll(() => service.close());

  const call = (who: string, method: string, path: string, body?: object, headers = {}) =>
    callApi(service, method, path, { token: tokens[who], body, headers });
  let keys = 0;
  const givePasskey = (userId: string) =>
    service.ctx.db.transaction((tx) =>
      insertPasskey(
        tx,
        {
          id: `key${++keys}`,
          userId,
          name: "Key",
          publicKey: "",
          counter: 0,
          transports: "",
          aaguid: "",
          isMultiDevice: false,
          isBackedUp: false,
          isUserVerified: true,
        },
        service.ctx.clock(),
      ),
    );
  /** Creates a machine with a role and stores a token for it. */
  async function machine(userId: string, role: string, organizationId: string): Promise<void> {
    const headers = { "x-service-orgid": organizationId };
    await call(
      "ada@acme.test",
      "POST",
      "/management/v1/users/machine",
      { userId, userName: userId, name: "M" },
      headers,
    );
    await call("ada@acme.test", "POST", "/management/v1/orgs/me/members", { userId, roles: [role] }, headers);
    const pat = await call("ada@acme.test", "POST", `/management/v1/users/${userId}/pats`, {}, headers);
    tokens[userId] = pat.body.token;
  }

  it("is rejected for users and machines as long as no owner could sign in afterwards", async () => {
    await machine("robot", "ORG_OWNER", "navy");
    expect(refusalOf(await call("robot", "POST", LOGIN, OFF))).toMatchObject(NO_OWNER_LEFT);
    expect(refusalOf(await call("nina@navy.test", "POST", LOGIN, OFF))).toMatchObject(LOCKED_OUT);
    const elsewhere = await call("ada@acme.test", "POST", LOGIN, OFF, { "x-service-orgid": "navy" });
    expect(refusalOf(elsewhere)).toMatchObject(NO_OWNER_LEFT);
    await givePasskey("nina");
    expect((await call("robot", "POST", LOGIN, OFF)).status).toBe(200);
    expect((await call("robot", "DELETE", LOGIN)).status).toBe(200);
  });

  it("requires permissions that cover those of the managers it locks out", async () => {
    await givePasskey("sett");
    await givePasskey("u-ada");
    expect((await call("sett", "POST", LOGIN, OFF)).status).toBe(200); // carl has no role, and ada has a passkey
    expect((await call("sett", "DELETE", LOGIN)).status).toBe(200);
    const { id } = await service.ctx.db.prisma.passkey.findFirstOrThrow({ where: { userId: "u-ada" } });
    await service.ctx.db.prisma.passkey.delete({ where: { id } });
    await call("ada@acme.test", "POST", "/management/v1/orgs/me/members", { userId: "carl", roles: ["ORG_OWNER"] });
    await givePasskey("carl");
    expect(refusalOf(await call("sett", "POST", LOGIN, OFF))).toMatchObject(TOO_HIGH); // ada would be locked out
    await givePasskey("u-ada");
    expect((await call("sett", "POST", LOGIN, OFF)).status).toBe(200);
    await call("sett", "DELETE", LOGIN);
  });

  it("is also rejected if the setting is inherited by omitting it or by resetting the policy", async () => {
    expect((await call("ada@acme.test", "POST", LOGIN, { allowUsernamePassword: true })).status).toBe(200);
    expect((await call("ada@acme.test", "PUT", INSTANCE, OFF)).status).toBe(200);
    await service.ctx.db.prisma.passkey.deleteMany({ where: { userId: "u-ada" } });
    expect(refusalOf(await call("ada@acme.test", "DELETE", LOGIN))).toMatchObject(LOCKED_OUT);
    expect(refusalOf(await call("ada@acme.test", "PUT", LOGIN, { forceMfa: true }))).toMatchObject(LOCKED_OUT);
    expect((await call("ada@acme.test", "GET", LOGIN)).body.policy).toMatchObject({ allowUsernamePassword: true });
    expect((await call("ada@acme.test", "PUT", INSTANCE, {})).status).toBe(200);
    expect(refusalOf(await call("ada@acme.test", "PUT", INSTANCE, OFF))).toMatchObject(LOCKED_OUT);
    expect((await call("ada@acme.test", "DELETE", LOGIN)).status).toBe(200);
  });
});
