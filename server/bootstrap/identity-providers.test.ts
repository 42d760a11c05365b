import { describe, expect, it } from "vitest";
import { listOfferedProviders } from "../directory/identity-provider/identity-provider";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { applyBootstrap } from "./apply";
import { exportBootstrap } from "./export";

const CLIENT = { clientId: "us", clientSecret: "s3cret" };
const partner = { name: "Partner", oidc: { ...CLIENT, issuer: "https://login.partner.test" } };
const file = (ofService: object[], ofAcme: object[] = []) => ({
  instance: { identityProviders: ofService },
  organizations: [{ id: "acme", name: "ACME", identityProviders: ofAcme }],
});

async function exportOf(ctx: Parameters<typeof exportBootstrap>[0]): Promise<string> {
  let text = "";
  for await (const part of exportBootstrap(ctx)) text += part;
  return text;
}

describe.each(databaseKinds)("bootstrap file: identity providers (%s)", (kind) => {
  it("are added, offered, and updated if they differ; the saved secret takes precedence", async () => {
    const ctx = await bareContext(kind);
    const kept = { isAutoUpdate: true, tokenClientIds: ["web"] };
    const google = { ...CLIENT, clientSecretExpiresAt: "2030-01-02T00:00:00.000Z" };
    const both = file([{ name: "Google", google }], [{ ...partner, providerOptions: kept }]);
    const { created } = await applyBootstrap(ctx, both);
    expect(created.filter((line) => line.startsWith("identity provider"))).toHaveLength(2);
    expect(await applyBootstrap(ctx, both)).toMatchObject({ created: [], updated: [] });
    const { clientSecret: _, ...shown } = google;
    expect(JSON.parse(await exportOf(ctx))).toMatchObject({
      instance: { identityProviders: [{ google: shown }] },
      organizations: [{ identityProviders: [{ providerOptions: kept }] }],
    });
    const rotated = file([{ name: "Google", google: { ...google, clientSecret: "another" } }], [partner]);
    expect((await applyBootstrap(ctx, rotated)).updated).toEqual(["identity provider Partner of acme"]);
    expect(await listOfferedProviders(ctx, "acme")).toMatchObject([
      { name: "Partner", secret: "s3cret", kind: "oidc" },
    ]);
    expect(await listOfferedProviders(ctx, undefined)).toMatchObject([{ name: "Google", secret: "s3cret" }]);
    const off = file([{ name: "Google", google: CLIENT, active: false }]);
    expect((await applyBootstrap(ctx, off)).updated).toHaveLength(1);
    expect(await listOfferedProviders(ctx, undefined)).toEqual([]);
    expect(JSON.stringify(await ctx.db.prisma.event.findMany())).not.toMatch(/s3cret|another/);
  });

  it("are not changed by the same entry of an LDAP directory, whose optional settings are left out", async () => {
    const ctx = await bareContext(kind);
    const attributes = { idAttribute: "entryUUID", emailAttribute: "mail" };
    const account = { bindDn: "cn=reader,dc=acme", bindPassword: "s3cret", baseDn: "dc=acme", userFilters: ["uid"] };
    const ldap = { servers: ["ldaps://ldap.acme.test"], userObjectClasses: ["person"], ...account, attributes };
    const directory = file([], [{ name: "Directory", ldap }]);
    expect((await applyBootstrap(ctx, directory)).created).toContain("identity provider Directory of acme");
    expect(await applyBootstrap(ctx, directory)).toMatchObject({ created: [], updated: [] });
  });

  it("keep the keys of a SAML provider and the metadata that was read for it", async () => {
    const ctx = await bareContext(kind);
    const saml = (more: object = {}) =>
      file([{ name: "SAML", saml: { metadataUrl: "https://login.partner.test/metadata", ...more } }]);
    await applyBootstrap(ctx, saml());
    const row = () => ctx.db.prisma.identityProvider.findFirstOrThrow();
    const { id, settings, sealedSecret } = await row();
    const fetched = { ...(settings as object), fetchedXml: "<a/>" };
    await ctx.db.prisma.identityProvider.update({ where: { id }, data: { settings: fetched } });
    expect(await applyBootstrap(ctx, saml())).toMatchObject({ created: [], updated: [] });
    expect((await applyBootstrap(ctx, saml({ withSignedRequest: true }))).updated).toHaveLength(1);
    expect(await row()).toMatchObject({ sealedSecret, settings: { withSignedRequest: true } });
  });

  it("come with their mapping, and users with their links; an export has all of it but the secrets", async () => {
    const projects = [{ id: "p1", name: "Shop", roles: [{ roleKey: "editor" }, { roleKey: "viewer" }] }];
    const granting = { ...projects[0], grants: [{ grantedOrgId: "second", roleKeys: ["viewer"] }] };
    const rule = (...roleKeys: string[]) => ({ claim: "groups", value: "staff", projectId: "p1", roleKeys });
    const mapping = { profile: { givenName: "first" }, roles: [rule("editor")] };
    const users = (idpName: string) => [
      { id: "u1", userName: "u1", idpLinks: [{ idpName, userId: "sub-1", userName: "u1 there" }] },
    ];
    const all = {
      instance: {
        identityProviders: [
          { name: "Google", google: CLIENT, mapping },
          { name: "Off", gitlab: CLIENT, offered: false },
        ],
      },
      organizations: [
        {
          ...{ id: "acme", name: "ACME", users: users("Partner"), projects: [granting] },
          identityProviders: [
            { ...partner, mapping },
            { name: "SAML", active: false, saml: { emailVerified: true } },
          ],
        },
        { id: "second", name: "Second", identityProviders: [{ ...partner, mapping: { roles: [rule("viewer")] } }] },
      ],
    };
    const ctx = await bareContext(kind);
    await applyBootstrap(ctx, all);
    expect(await applyBootstrap(ctx, all)).toMatchObject({ created: [], updated: [] });
    const exported = await exportOf(ctx);
    expect(exported).not.toMatch(/s3cret|PRIVATE KEY|projectGrantId/);
    expect(JSON.parse(exported)).toMatchObject({
      instance: {
        identityProviders: [
          { name: "Google", google: { clientId: "us" }, mapping },
          { name: "Off", offered: false },
        ],
      },
      organizations: [
        { users: users("Partner"), identityProviders: [{ mapping }, { name: "SAML", active: false }] },
        { identityProviders: [{ mapping: { roles: [rule("viewer")] } }] },
      ],
    });
    expect(await applyBootstrap(ctx, JSON.parse(exported))).toMatchObject({ created: [], updated: [] });
    expect(await listOfferedProviders(ctx, undefined)).toMatchObject([{ name: "Google", secret: "s3cret" }]);
    const empty = await bareContext(kind);
    const { warnings } = await applyBootstrap(empty, JSON.parse(exported), { secretsMayBeMissing: true });
    expect(warnings.filter((warning) => warning.includes("the provider gets no secret"))).toHaveLength(2);
    expect(await exportOf(empty)).toBe(exported);
    const wrong = (change: object) => ({
      organizations: [{ id: "second", name: "Second", ...change }],
    });
    for (const [change, at] of [
      [{ identityProviders: [{ ...partner, mapping: { roles: [rule("editor")] } }] }, "mapping.roles[0].roleKeys[0]"],
      [{ identityProviders: [{ ...partner, mapping: { roles: [{ ...rule("a"), projectId: "x" }] } }] }, "projectId"],
      [{ users: [{ userName: "u2", idpLinks: [{ idpName: "Nobody's", userId: "1" }] }] }, "idpLinks[0].idpName"],
      [
        {
          users: [
            { userName: "u2", idpLinks: [{ idpName: "Google", userId: "taken" }] },
            { userName: "u3", idpLinks: [{ idpName: "Google", userId: "taken" }] },
          ],
        },
        "users[1].idpLinks[0]",
      ],
    ] as const) {
      await expect(applyBootstrap(ctx, wrong(change))).rejects.toThrow(at);
    }
  });

  it.each([
    ["no secret", { name: "Google", google: { clientId: "us" } }, ".google.clientSecret: is required"],
    ["an inward issuer", { name: "A", oidc: { ...CLIENT, issuer: "https://10.0.0.1" } }, ".oidc.issuer: "],
    ["no kind", { name: "A" }, ': needs either "oidc"'],
    ["a foreign key", { name: "A", apple: { clientId: "a", teamId: "t", keyId: "k", privateKey: "x" } }, ".privateKey"],
  ])("are refused with %s, and nothing is changed", async (_, provider, reason) => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file([provider]))).rejects.toThrow(reason);
    expect(await ctx.db.prisma.identityProvider.count()).toBe(0);
  });

  it("must have unique names", async () => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file([partner, partner]))).rejects.toThrow("identityProviders[1].name");
  });
});
