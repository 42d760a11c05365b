import { describe, expect, it } from "vitest";
import { findInstance } from "../directory/instance";
import { findUserForSignIn } from "../directory/user/user";
import { bareContext, countAllRows } from "../testing/bare-context";
import { applyBootstrap } from "./apply";

const password = "correct horse battery staple";
const secret = "0123456789abcdef0123456789abcdef0123";

describe("bootstrap file: without ids", () => {
  const file = () => ({
    organizations: [
      {
        name: "Söhne & Co",
        users: [{ userName: "eve", password }],
        machines: [{ userName: "bot" }],
        projects: [
          {
            name: "P",
            apps: [
              {
                name: "A",
                oidc: { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE", redirectUris: ["https://rp.test/cb"] } as object,
              },
            ],
          },
        ],
      } as Record<string, unknown>,
    ],
  });

  it("generates ids, a client id and a primary domain, and finds them again", async () => {
    const ctx = await bareContext("sqlite");
    const report = await applyBootstrap(ctx, file());
    expect(report.created).toContain("domain sohne-co.id.example.com");
    expect(await findUserForSignIn(ctx, "eve@sohne-co.id.example.com")).toMatchObject({ userName: "eve" });
    const before = await countAllRows(ctx);
    expect(await applyBootstrap(ctx, file())).toEqual({ created: [], updated: [], warnings: [] });
    expect(await countAllRows(ctx)).toEqual(before);
    expect((await findInstance(ctx)).defaultOrganizationId).toBe((await findUserForSignIn(ctx, "eve"))?.organizationId);
  });

  it("identifies a renamed organization by a verified domain", async () => {
    const ctx = await bareContext("sqlite");
    const domains = [{ domain: "ACME.test", verified: true }];
    await applyBootstrap(ctx, { organizations: [{ name: "ACME", domains, users: [{ userName: "bob" }] }] });
    const report = await applyBootstrap(ctx, { organizations: [{ name: "ACME Ltd", domains }] });
    expect(report).toEqual({ created: [], updated: ["organization ACME Ltd"], warnings: [] });
    expect(await findUserForSignIn(ctx, "bob@acme.test")).toMatchObject({ organizationName: "ACME Ltd" });
  });

  it("changes the login names with the primary domain", async () => {
    const ctx = await bareContext("sqlite");
    await applyBootstrap(ctx, file());
    const moved = file();
    Object.assign(moved.organizations[0] ?? {}, {
      domains: [{ domain: "bücher.test", verified: true, primary: true }],
    });
    expect((await applyBootstrap(ctx, moved)).updated).toEqual(["primary domain of Söhne & Co"]);
    expect(await findUserForSignIn(ctx, "EVE@BÜCHER.test")).toMatchObject({ loginName: "eve@xn--bcher-kva.test" });
    expect(await findUserForSignIn(ctx, "eve@sohne-co.id.example.com")).toBeUndefined();
  });

  it("warns once of settings that are probably a mistake", async () => {
    const ctx = await bareContext("sqlite");
    const odd = file();
    const projects = odd.organizations[0]?.projects as { apps: { oidc: object }[] }[];
    Object.assign(projects[0]?.apps[0]?.oidc ?? {}, { redirectUris: [], clientSecret: secret });
    const at = "organizations[0].projects[0].apps[0].oidc";
    expect((await applyBootstrap(ctx, odd)).warnings).toEqual([
      `${at}: a clientSecret is not used with OIDC_AUTH_METHOD_TYPE_NONE`,
      `${at}: no redirectUris: nobody can sign in to this app`,
    ]);
    expect((await applyBootstrap(ctx, odd)).warnings).toEqual([]);
  });
});
