import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInstance } from "../../directory/instance";
import { directorySettings } from "../../testing/directory";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { askDirectory } from "./directory";

describe("where a directory may be", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Asks a directory whose name leads to these addresses, which refuse connections. */
  const ask = async (ownerId: string, addresses: string[], ldapNetworks: string[] = []) => {
    const ctx = {
      ...service.ctx,
      config: { ...service.ctx.config, baseUrl: "https://id.example.test", ldapNetworks },
      resolver: { texts: async () => [], addresses: async () => addresses.map((address) => ({ address, family: 4 })) },
    };
    const settings = directorySettings(["ldaps://ldap.partner.test:3269"]);
    const id = `${ownerId}-${addresses}-${ldapNetworks}`;
    return askDirectory(ctx, { id, ownerId, settings, secret: "s3cret" });
  };
  const notPermitted = expect.stringContaining("the name has no permitted address");
  const refused = expect.stringMatching(/no connection|certificate/);

  it.each([[["127.0.0.1"]], [["8.8.8.8", "127.0.0.1"]], [["10.0.0.1"]], [["169.254.169.254"]], [[]]])(
    "is refused to organizations if its name leads inside: %o",
    async (addresses) => {
      expect(await ask("acme", addresses)).toMatchObject({ kind: "failed", detail: notPermitted });
    },
  );

  it("is in a network of LDAP_NETWORKS only if the instance owns it", async () => {
    const instance = (await findInstance(service.ctx)).id;
    const inside = ["127.0.0.0/8"];
    expect(await ask("acme", ["127.0.0.1"], inside)).toMatchObject({ detail: notPermitted });
    expect(await ask(instance, ["127.0.0.1"])).toMatchObject({ detail: notPermitted });
    expect(await ask(instance, ["127.0.0.1"], inside)).toMatchObject({ detail: refused });
    expect(await ask(instance, ["127.0.0.1", "10.0.0.1"], inside)).toMatchObject({ detail: notPermitted });
  });
});
