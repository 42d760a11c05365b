import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digest } from "../crypto/digest";
import { verifyPassword } from "../crypto/password-hash";
import { findClient } from "../directory/app/app";
import { findInstance } from "../directory/instance";
import { findMachineClient } from "../directory/user/machine";
import { findClaimsSource, findUserForSignIn } from "../directory/user/user";
import { bareContext, countAllRows } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { applyBootstrap } from "./apply";

const password = "correct horse battery staple";
const secret = "0123456789abcdef0123456789abcdef0123";
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = pair.publicKey.export({ type: "spki", format: "pem" }) as string;

/** The example of the contract, which uses every member. */
const example = () => ({
  instance: {
    defaultLanguage: "de",
    features: { oidcTokenExchange: true },
    security: { enableImpersonation: true },
  },
  organizations: [
    {
      id: "acme",
      name: "ACME",
      default: true,
      domains: [{ domain: "acme.test", verified: true, primary: true }],
      users: [
        {
          id: "u-ada",
          userName: "ada@acme.test",
          password,
          profile: { firstName: "Ada", lastName: "Lovelace", nickName: "Countess", gender: "female" } as object,
          claims: { middle_name: "K", birthdate: "1815-12-10", zoneinfo: "Europe/London" },
          address: { street_address: "12 St James's Square", locality: "London" },
          email: { email: "ada@acme.test", isEmailVerified: true },
          phone: { phone: "+441234567890", isPhoneVerified: true },
          roles: ["IAM_OWNER", "ORG_OWNER"],
        },
        { id: "u-bob", userName: "bob", password, email: { email: "bob@mail.test" } },
      ],
      machines: [
        {
          id: "m-ci",
          userName: "ci",
          name: "CI",
          accessTokenType: "ACCESS_TOKEN_TYPE_JWT",
          secret,
          keys: [{ keyId: "k1", publicKey: pem, expirationDate: "2040-01-01T00:00:00Z" }],
          roles: ["ORG_OWNER"],
        },
      ],
      projects: [
        {
          id: "p1",
          name: "Shop",
          roles: [{ roleKey: "admin", displayName: "Administrator" }],
          apps: [
            {
              id: "a1",
              name: "Web",
              oidc: {
                clientId: "web",
                clientSecret: secret,
                redirectUris: ["https://rp.test/cb"],
                grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
                accessTokenLifetime: "10m",
                refreshGrace: "0s",
                jwks: { keys: [] as object[] },
              } as Record<string, unknown>,
            },
            { id: "a2", name: "API", api: { clientId: "api", clientSecret: secret } },
          ],
        },
      ],
      messageTexts: [{ type: "password_change", language: "EN", subject: "Your ACME password" }],
    },
  ],
});

describe.each(databaseKinds)("bootstrap file: applied (rule BOOTSTRAP-1, %s)", (kind) => {
  it("creates everything it names", async () => {
    const ctx = await bareContext(kind);
    const report = await applyBootstrap(ctx, example());
    expect(report.warnings).toEqual([]);
    expect(report.created).toEqual([
      "organization ACME",
      "domain acme.test",
      "user ada@acme.test",
      "IAM_OWNER of ada@acme.test",
      "ORG_OWNER of ada@acme.test",
      "user bob",
      "machine ci",
      "key k1 of machine ci",
      "ORG_OWNER of ci",
      "project Shop",
      "role admin of project Shop",
      "app web",
      "app api",
      "text password_change en of acme",
    ]);
    expect(await findInstance(ctx)).toMatchObject({
      defaultLanguage: "de",
      defaultOrganizationId: "acme",
      features: { oidcTokenExchange: true },
      security: { enableImpersonation: true },
    });
    const ada = await findUserForSignIn(ctx, "ada@acme.test");
    expect(ada).toMatchObject({ id: "u-ada", displayName: "Ada Lovelace", mayAuthenticate: true });
    expect(await verifyPassword(password, ada?.passwordHash)).toBe(true);
    expect(await findUserForSignIn(ctx, "bob@acme.test")).toMatchObject({ id: "u-bob", loginName: "bob@acme.test" });
    expect(await findUserForSignIn(ctx, "bob")).toMatchObject({ id: "u-bob" });
    expect(await findUserForSignIn(ctx, "bob@mail.test")).toBeUndefined();
    expect(await findClaimsSource(ctx, "u-ada", "acme")).toMatchObject({
      kind: "human",
      preferredLoginName: "ada@acme.test",
      claims: { middle_name: "K", birthdate: "1815-12-10", zoneinfo: "Europe/London" },
      address: { street_address: "12 St James's Square", locality: "London" },
      gender: "female",
    });
    expect(await findMachineClient(ctx, "ci", [digest(secret)])).toEqual({
      userId: "m-ci",
      organizationId: "acme",
      clientId: "ci",
      accessTokenFormat: "jwt",
      legacyAssertionAudience: false,
    });
    expect(await ctx.db.prisma.machineKey.findMany()).toMatchObject([
      { id: "k1", publicJwk: { kty: "RSA", kid: "k1", use: "sig" }, expiresAt: new Date("2040-01-01T00:00:00Z") },
    ]);
    expect(await findClient(ctx, "web")).toMatchObject({
      appId: "a1",
      organizationName: "ACME",
      secrets: [{ digest: digest(secret), usedAt: null }],
      authenticationMethod: "client_secret_basic",
      grantTypes: ["authorization_code", "refresh_token"],
      jwks: { keys: [] },
      lifetimes: { accessToken: 600_000, idToken: undefined, refreshGrace: 0 },
    });
    expect(await findClient(ctx, "api")).toMatchObject({ kind: "api", grantTypes: [], responseTypes: [], jwks: null });
    expect(await ctx.db.prisma.messageText.findMany()).toMatchObject([
      { ownerId: "acme", type: "password_change", language: "en", subject: "Your ACME password", title: null },
    ]);
  });

  it("writes nothing, not even an event, when nothing differs", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    const before = await countAllRows(ctx);
    ctx.advance(60_000);
    expect(await applyBootstrap(ctx, example())).toEqual({ created: [], updated: [], warnings: [] });
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("updates only what differs", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    expect(await findClient(ctx, "web")).toMatchObject({ devMode: false });
    const file = example();
    const [acme] = file.organizations;
    if (!acme) throw new Error();
    acme.name = "ACME Ltd";
    Object.assign(acme.users[0] ?? {}, { userName: "countess@acme.test", profile: { nickName: "Enchantress" } });
    Object.assign(acme.projects[0]?.apps[0]?.oidc ?? {}, { devMode: true, clientId: "web2" });
    Object.assign(acme.messageTexts[0] ?? {}, { subject: "", title: "New" });
    expect(await applyBootstrap(ctx, file)).toEqual({
      created: [],
      updated: ["organization ACME Ltd", "user countess@acme.test", "app web2", "text password_change en of acme"],
      warnings: [],
    });
    expect(await findUserForSignIn(ctx, "ada@acme.test")).toMatchObject({ id: "u-ada" }); // by the verified address
    expect(await findUserForSignIn(ctx, "countess@acme.test")).toMatchObject({ id: "u-ada", firstName: "Ada" });
    expect(await findClient(ctx, "web")).toBeUndefined();
    expect(await findClient(ctx, "web2")).toMatchObject({ devMode: true, lifetimes: { accessToken: 600_000 } });
    expect(await ctx.db.prisma.messageText.findMany()).toMatchObject([{ subject: null, title: "New" }]);
    const messageTexts = [{ type: "password_change", language: "en", greeting: "Hello" }];
    await applyBootstrap(ctx, { organizations: [{ id: "acme", name: "ACME Ltd", messageTexts }] });
    expect(await ctx.db.prisma.messageText.findMany()).toMatchObject([{ title: "New", greeting: "Hello" }]);
  });

  it("never sets a password or secret again", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    const file = JSON.parse(
      JSON.stringify(example()).replaceAll(password, "another long password").replaceAll(secret, "s".repeat(40)),
    );
    expect(await applyBootstrap(ctx, file)).toEqual({ created: [], updated: [], warnings: [] });
    expect(await verifyPassword(password, (await findUserForSignIn(ctx, "bob"))?.passwordHash)).toBe(true);
    expect((await findClient(ctx, "web"))?.secrets).toMatchObject([{ digest: digest(secret) }]);
    expect(await findMachineClient(ctx, "ci", [digest(secret)])).toMatchObject({ userId: "m-ci" });
  });

  it("does not delete objects that the file no longer names", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    const before = await countAllRows(ctx);
    await applyBootstrap(ctx, {
      organizations: [{ id: "acme", name: "ACME", users: [{ id: "u-ada", userName: "ada@acme.test" }] }],
    });
    await applyBootstrap(ctx, {});
    expect(await countAllRows(ctx)).toEqual(before);
    expect(await findInstance(ctx)).toMatchObject({ defaultLanguage: "de", features: { oidcTokenExchange: true } });
  });

  it("is all or nothing: a mistake at the end undoes what came before it", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    const before = await countAllRows(ctx);
    const file = {
      organizations: [
        { id: "other", name: "Other", users: [{ userName: "eve", password }] },
        {
          id: "third",
          name: "Third",
          projects: [{ name: "P", apps: [{ name: "A", api: { clientId: "web", clientSecret: secret } }] }],
        },
      ],
    };
    await expect(applyBootstrap(ctx, file)).rejects.toThrow(
      /^organizations\[1\]\.projects\[0\]\.apps\[0\]\.api\.clientId: belongs to another project$/,
    );
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("keeps secrets out of the audit trail", async () => {
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, example());
    const trail = JSON.stringify(await ctx.db.prisma.event.findMany());
    const hash = (await findUserForSignIn(ctx, "bob"))?.passwordHash ?? "";
    for (const hidden of [password, secret, digest(secret), hash]) expect(trail).not.toContain(hidden);
    expect(trail).toContain(`"actor":"bootstrap"`);
  });

  it("allows four processes to apply one file concurrently, one of which writes", async () => {
    const ctx = await bareContext(kind);
    const reports = await Promise.all([1, 2, 3, 4].map(() => applyBootstrap(ctx, example())));
    expect(reports.filter((report) => report.created.length > 0)).toHaveLength(1);
  });
});
