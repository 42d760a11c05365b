import { beforeEach, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { appliedContext, type BareContext, bareContext } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { createCache, invalidateDirectory, TIME_TO_LIVE } from "../cache";
import { changeDirectory } from "../change";
import { findClient } from "./app";
import { toClient } from "./client";

const clientSecret = "0123456789abcdef0123456789abcdef0123";
const oidc = { clientId: "web", clientSecret, redirectUris: ["https://rp.test/cb"] };
const file = (settings: object) => ({
  organizations: [
    {
      id: "o",
      name: "O",
      projects: [{ id: "p", name: "P", apps: [{ id: "a", name: "A", oidc: { ...oidc, ...settings } }] }],
    },
  ],
});

describe.each(databaseKinds)("the client of an app (%s)", (kind) => {
  let ctx: BareContext;
  beforeEach(async () => {
    ctx = await appliedContext(kind, file({}));
  });

  it.each([
    ["app", (at: BareContext) => at.db.prisma.app.update({ where: { id: "a" }, data: { state: "inactive" } })],
    ["project", (at: BareContext) => at.db.prisma.project.update({ where: { id: "p" }, data: { state: "inactive" } })],
    [
      "organization",
      (at: BareContext) => at.db.prisma.organization.update({ where: { id: "o" }, data: { state: "inactive" } }),
    ],
  ] as const)(
    "is not found when its %s is inactive; a change by another process applies within five seconds",
    async (_, deactivate) => {
      expect(await findClient(ctx, "web")).toMatchObject({ clientId: "web" });
      await deactivate(ctx);
      ctx.advance(TIME_TO_LIVE - 1);
      expect(await findClient(ctx, "web")).toBeDefined();
      ctx.advance(1);
      expect(await findClient(ctx, "web")).toBeUndefined();
    },
  );

  it("is updated at once after a change in this process", async () => {
    await findClient(ctx, "web");
    await applyBootstrap(ctx, file({ devMode: true }));
    expect(await findClient(ctx, "web")).toMatchObject({ devMode: true });
  });

  it("is found after an earlier lookup found nothing, because absence is not cached", async () => {
    expect(await findClient(ctx, "late")).toBeUndefined();
    await ctx.db.prisma.app.update({ where: { id: "a" }, data: { clientId: "late" } });
    expect(await findClient(ctx, "late")).toMatchObject({ appId: "a" });
  });

  it.each(["", "WEB", "web\0", "'; DROP TABLE App", "a".repeat(1_000_000)])(
    "is not found for the client id %.20j",
    async (clientId) => {
      expect(await findClient(ctx, clientId)).toBeUndefined();
    },
  );
});

describe("the directory cache", () => {
  it("does not keep a value that was read before a write and arrives after it", async () => {
    const ctx = await bareContext("sqlite");
    const cache = createCache<string>("instance");
    let arrive = (_: string) => {};
    const slow = cache.get(ctx, "k", () => new Promise<string>((resolve) => (arrive = resolve)));
    await changeDirectory(ctx, async () => {});
    arrive("old");
    expect(await slow).toBe("old"); // The read overlapped the write.
    expect(await cache.get(ctx, "k", async () => "new")).toBe("new");
    expect(await cache.get(ctx, "k", async () => "newer")).toBe("new");
  });

  it("is also emptied when the write failed, because its outcome is unknown", async () => {
    const ctx = await bareContext("sqlite");
    const cache = createCache<string>("instance");
    await cache.get(ctx, "k", async () => "old");
    await expect(changeDirectory(ctx, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.get(ctx, "k", async () => "new")).toBe("new");
  });

  it("does not use entries from the future after the clock was set back", async () => {
    const ctx = await bareContext("sqlite");
    const cache = createCache<string>("instance");
    await cache.get(ctx, "k", async () => "old");
    ctx.advance(-60_000);
    expect(await cache.get(ctx, "k", async () => "new")).toBe("new");
  });

  it("separates databases and limits its size", async () => {
    const [one, two] = [await bareContext("sqlite"), await bareContext("sqlite")];
    const cache = createCache<number>("instance");
    await cache.get(one, "k", async () => 1);
    expect(await cache.get(two, "k", async () => 2)).toBe(2);
    for (let i = 0; i < 10_000; i++) await cache.get(one, `k${i}`, async () => i);
    expect(await cache.get(one, "k", async () => 3)).toBe(3);
    invalidateDirectory(one);
    expect(await cache.get(two, "k", async () => 4)).toBe(2);
  });
});

describe("the translation of settings from management API terms to OAuth terms", () => {
  const row = {
    id: "a",
    name: "A",
    clientId: "web",
    secrets: [],
    jwks: null,
    keys: [],
    projectId: "p",
    organizationId: "o",
    isTrusted: false,
    mayManage: false,
    organizationName: "O",
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: true,
    privateLabelingSetting: null,
    rolesClaim: null,
    origin: null,
    usedAt: null,
    metadata: null,
  };

  it("fills in the defaults", () => {
    expect(toClient({ ...row, kind: "oidc", settings: {} })).toMatchObject({
      applicationType: "web",
      redirectUris: [],
      responseTypes: ["code"],
      grantTypes: ["authorization_code"],
      authenticationMethod: "client_secret_basic",
      accessTokenFormat: "opaque",
      idTokenUserinfoAssertion: false,
      devMode: false,
      legacyAssertionAudience: false,
      project: { roleAssertion: false, roleCheck: false, organizationCheck: true, keepsLook: false },
    });
  });

  it("translates everything that is set", () => {
    const settings = {
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE", "OIDC_GRANT_TYPE_DEVICE_CODE"],
      appType: "OIDC_APP_TYPE_NATIVE",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      accessTokenType: "OIDC_TOKEN_TYPE_JWT",
      legacyAssertionAudience: true,
      accessTokenLifetime: "10m",
      refreshGrace: "0s",
    };
    expect(toClient({ ...row, kind: "oidc", settings })).toMatchObject({
      responseTypes: ["code", "id_token", "id_token token"],
      grantTypes: [
        "implicit",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
      applicationType: "native",
      authenticationMethod: "none",
      accessTokenFormat: "jwt",
      legacyAssertionAudience: true,
      lifetimes: { accessToken: 600_000, refreshGrace: 0, idToken: undefined },
    });
  });

  it("gives an API no response type and no grant", () => {
    const settings = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
    expect(toClient({ ...row, kind: "api", settings })).toMatchObject({
      responseTypes: [],
      grantTypes: [],
      redirectUris: [],
      authenticationMethod: "private_key_jwt",
    });
  });

  it("throws for stored settings that are invalid", () => {
    expect(() => toClient({ ...row, kind: "oidc", settings: { appType: "WEB" } })).toThrow();
    expect(() => toClient({ ...row, kind: "oidc", settings: { redirectUri: "https://a.test" } })).toThrow();
  });
});
