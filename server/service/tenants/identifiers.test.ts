import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { PASSWORD, SECRET } from "../../testing/example";
import { authorize, basic, postToken, redeem, type Tokens } from "../../testing/flow";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET } from "../../testing/token-example";

const M = "/management/v1";
const person = (userId: string, userName: string) => ({
  userId,
  userName,
  profile: { firstName: "F", lastName: "R" },
  email: { email: `${userName}@evil.test`, isEmailVerified: true },
});
const v2 = { profile: { givenName: "F", familyName: "R" }, email: { email: "f@evil.test", isVerified: true } };

describe.each(databaseKinds)("identifiers across organizations, on %s", (kind) => {
  let service: TestService;
  let acme: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
    await frank("u-frank");
  });
  afterAll(() => service.close());

  /** A user who worked for ACME, signed in there, and was removed. */
  async function frank(id: string): Promise<void> {
    const body = { ...person(id, id), password: PASSWORD };
    expect((await acme("POST", `${M}/users/human/_import`, body)).status).toBe(200);
    const answer = await authorize(service.browser(), {}, { loginName: `${id}@acme.test` });
    expect(answer.get("code")).toBeTruthy();
    expect((await acme("DELETE", `${M}/users/${id}`)).status).toBe(200);
  }

  describe("a user's id", () => {
    it("is not taken by a user of another organization, so that no one signs in as a former colleague", async () => {
      const body = { ...person("u-frank", "frank2"), password: PASSWORD };
      const made = await evil("POST", `${M}/users/human/_import`, body);
      expect(made.status).toBe(409);
      const answer = await authorize(service.browser(), {}, { loginName: "frank2@evil.test" });
      if (answer.has("code")) {
        const { id_token } = (await (await redeem(service, answer.get("code") ?? "")).json()) as Tokens;
        expect(decodeJwt(id_token).sub).not.toBe("u-frank");
      }
    });

    it.each<[string, string, unknown]>([
      ["added", "/users/human", person("u-frank", "frank3")],
      ["a machine", "/users/machine", { userId: "u-frank", userName: "frank-bot", name: "F" }],
      ["added by version 2", "../../v2/users/human", { userId: "u-frank", username: "frank4", ...v2 }],
      ["new by version 2", "../../v2/users/new", { userId: "u-frank", username: "frank5", human: v2 }],
      ["a machine by version 2", "../../v2/users/new", { userId: "u-frank", username: "fb", machine: { name: "F" } }],
    ])("is not given again to somebody %s", async (_, path, body) => {
      const address = path.startsWith("../../") ? path.slice(5) : M + path;
      expect((await evil("POST", address, body)).status).toBe(409);
      expect(
        (await evil("POST", `${M}/users/_search`, {})).body.result.map(({ id }: { id: string }) => id),
      ).not.toContain("u-frank");
    });

    it("is not assigned again by an import of several users", async () => {
      const { body } = await evil("POST", `${M}/users/_bulk_import`, {
        mode: "EACH_BY_ITSELF",
        users: [person("u-frank", "frank6"), person("u-new-one", "frank7")],
      });
      const found = await evil("GET", `${M}/users/u-frank`);
      expect(found.status).toBe(404);
      expect(JSON.stringify(body)).toContain("taken");
    });

    it("is not assigned again at the request of the organization itself, nor after two removals", async () => {
      expect((await acme("POST", `${M}/users/human/_import`, person("u-frank", "frank"))).status).toBe(409);
    });

    it("is not assigned again by concurrent requests during its removal", async () => {
      await acme("POST", `${M}/users/human/_import`, person("u-race", "race"));
      const tries = ["a", "b", "c"].map((name) =>
        evil("POST", `${M}/users/human/_import`, person("u-race", `race-${name}`)),
      );
      const [removed, ...made] = await Promise.all([acme("DELETE", `${M}/users/u-race`), ...tries]);
      expect(removed?.status).toBe(200);
      expect(made.map(({ status }) => status)).toEqual([409, 409, 409]);
    });

    it("keeps its events with the former user", async () => {
      const trail = await acme("POST", `${M}/events/_search`, { aggregateId: "u-frank" });
      const types = trail.body.result.map(({ type }: { type: string }) => type);
      expect(types).toContain("user.removed");
      expect(trail.body.result.every(({ actor }: { actor: { id: string } }) => !/evil/.test(actor.id))).toBe(true);
      expect((await evil("POST", `${M}/events/_search`, { aggregateId: "u-frank" })).body.result).toEqual([]);
    });
  });

  it("does not assign ids of removed apps, projects and organizations again", async () => {
    const iam = await callerOf(service, "acme-iam");
    await acme("POST", `${M}/projects`, { id: "p-gone", name: "Gone" });
    await acme("POST", `${M}/projects/p-gone/apps/api`, { name: "G", appId: "a-gone", clientId: "c-gone" });
    await acme("DELETE", `${M}/projects/p-gone`);
    await iam("POST", `${M}/orgs`, { id: "o-gone", name: "Gone" });
    await iam("DELETE", "/admin/v1/orgs/o-gone");
    const apps = `${M}/projects/pe/apps`;
    const again = {
      project: await evil("POST", `${M}/projects`, { id: "p-gone", name: "Mine" }),
      app: await evil("POST", `${apps}/api`, { name: "G", appId: "a-gone" }),
      client: await evil("POST", `${apps}/oidc`, {
        name: "G",
        clientId: "c-gone",
        redirectUris: ["https://evil.test/cb"],
      }),
      folded: await evil("POST", `${apps}/api`, { name: "G", clientId: "C-GONE" }),
      machine: await evil("POST", `${M}/users/machine`, { userName: "c-gone", name: "G" }),
      organization: await iam("POST", `${M}/orgs`, { id: "o-gone", name: "Mine" }),
    };
    const statuses = Object.entries(again).map(([what, { status }]) => [what, status]);
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(statuses.map(([what]) => [what, 409])));
  });

  describe("names that share a namespace in audiences and at client authentication", () => {
    const apps = `${M}/projects/pe/apps`;
    const oidc = { name: "X", redirectUris: ["https://evil.test/cb"] };
    it.each<[string, string, unknown]>([
      ["an API named like a project", `${apps}/api`, { name: "X", clientId: "p1" }],
      ["an app named like a project", `${apps}/oidc`, { ...oidc, clientId: "p1" }],
      ["an app named like a project in capitals", `${apps}/oidc`, { ...oidc, clientId: "P1" }],
      ["an app named like an app in capitals", `${apps}/oidc`, { ...oidc, clientId: "WEB" }],
      ["a project named like a client", `${M}/projects`, { id: "web", name: "X" }],
      ["a project named like a client in capitals", `${M}/projects`, { id: "Web", name: "X" }],
      ["a project named like a machine", `${M}/projects`, { id: "acme-bot", name: "X" }],
      ["an app named like a machine in capitals", `${apps}/api`, { name: "X", clientId: "ACME-bot" }],
      ["a machine named like a client", `${M}/users/machine`, { userName: "web", name: "X" }],
      ["a machine named like a client in capitals", `${M}/users/machine`, { userName: "WEB", name: "X" }],
      ["a machine named like a client in wide letters", `${M}/users/machine`, { userName: "ｗeb", name: "X" }],
      ["a machine named like a project", `${M}/users/machine`, { userName: "P1", name: "X" }],
      ["a machine of version 2", "/v2/users/new", { username: "WEB", machine: { name: "X" } }],
    ])("refuse %s", async (_, path, body) => {
      expect((await evil("POST", path, body)).status).toBe(409);
    });

    it("are refused on a rename as well", async () => {
      const { body } = await evil("POST", `${M}/users/machine`, { userName: "innocent", name: "I" });
      for (const userName of ["web", "WEB", "Own", "P1"]) {
        const { status } = await evil("PUT", `${M}/users/${body.userId}/username`, { userName });
        expect([userName, status]).toEqual([userName, 409]);
      }
    });

    it("may be the same for machines of two organizations, each with its own secret", async () => {
      const made = await evil("POST", `${M}/users/machine`, { userName: "acme-people", name: "Same" });
      expect(made.status).toBe(200);
      const { body } = await evil("PUT", `${M}/users/${made.body.userId}/secret`, {});
      for (const [secret, sub] of [
        [body.clientSecret, made.body.userId],
        [`acme-people-${MACHINE_SECRET}`, "m-acme-people"],
      ]) {
        const form = { grant_type: "client_credentials", scope: "openid" };
        const answer = await postToken(service, form, basic("acme-people", secret));
        expect(answer.status).toBe(200);
        const { access_token: token } = (await answer.json()) as Tokens;
        const row = await service.ctx.db.prisma.accessToken.findFirst({ orderBy: { createdAt: "desc" } });
        expect([token.length > 0, row?.userId]).toEqual([true, sub]);
      }
    });

    it.each(["acme-settings", "ACME-Settings", "ａcme-settings"])(
      "is no client id of a machine of another organization called %s, added or renamed",
      async (userName) => {
        const jwt = { accessTokenType: "ACCESS_TOKEN_TYPE_JWT" };
        const made = await evil("POST", `${M}/users/machine`, { userName, name: "Same", ...jwt });
        const { userId } = made.body;
        const [added, renamed] = [
          userId,
          (await evil("POST", `${M}/users/machine`, { userName: `x-${userName}`, name: "X", ...jwt })).body.userId,
        ];
        expect((await evil("DELETE", `${M}/users/${added}`)).status).toBe(200);
        expect((await evil("PUT", `${M}/users/${renamed}/username`, { userName })).status).toBe(200);
        const { body } = await evil("PUT", `${M}/users/${renamed}/secret`, {});
        expect(body.clientId).toBe(renamed);
        const form = { grant_type: "client_credentials", scope: "openid urn:service:iam:org:project:id:p1:aud" };
        for (const name of [renamed, userName]) {
          const { access_token } = (await (
            await postToken(service, form, basic(name, body.clientSecret))
          ).json()) as Tokens;
          const claims = decodeJwt(access_token);
          expect([claims.sub, claims.client_id]).toEqual([renamed, renamed]);
          expect(JSON.stringify(claims).toLowerCase()).not.toContain('"acme-settings"');
        }
        expect((await evil("PUT", `${M}/users/${renamed}/username`, { userName: `free-${renamed}` })).status).toBe(200);
        expect((await evil("PUT", `${M}/users/${renamed}/secret`, {})).body.clientId).toBe(`free-${renamed}`);
        await evil("DELETE", `${M}/users/${renamed}`);
      },
    );

    it("go to one of two machines that are created at once", async () => {
      const made = await Promise.all(
        [acme, evil].map((call) => call("POST", `${M}/users/machine`, { userName: "at-once", name: "R" })),
      );
      const secrets = await Promise.all(
        [acme, evil].map((call, index) => call("PUT", `${M}/users/${made[index]?.body.userId}/secret`, {})),
      );
      const ids = secrets.map(({ body }) => body.clientId);
      expect(ids).toContain("at-once");
      expect(new Set(ids).size).toBe(2);
    });
  });

  it("lets no machine intercept the authentication or revocations of an app", async () => {
    const made = await acme("POST", `${M}/projects/p1/apps/oidc`, {
      name: "Generated",
      redirectUris: ["https://rp.test/cb"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"],
    });
    const { clientId, clientSecret } = made.body;
    for (const userName of [clientId.toUpperCase(), clientId.replace("a", "A"), clientId]) {
      await evil("POST", `${M}/users/machine`, { userName, name: "In the way" });
    }
    const own = basic(clientId, clientSecret);
    expect((await postToken(service, { grant_type: "client_credentials" }, own)).status).toBe(200);
    const body = new URLSearchParams({ token: "whatever" });
    const headers = { authorization: own };
    expect((await service.fetch("/oauth/v2/revoke", { method: "POST", body, headers })).status).toBe(200);
  });

  it("does not show a token of one organization to an API that has taken one of its names", async () => {
    const made = await evil("POST", `${M}/projects/pe/apps/api`, { name: "X", clientId: "p1", clientSecret: SECRET });
    const answer = await authorize(service.browser());
    const { access_token: token } = (await (await redeem(service, answer.get("code") ?? "")).json()) as Tokens;
    const told = await service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers: { authorization: basic("p1", SECRET) },
    });
    expect([made.status, told.status, await told.text()]).toEqual([409, 401, expect.not.stringContaining("lovelace")]);
  });
});
