/** Users sign in by an LDAP directory (slapd), whose login name and password they type on a page of the service. */
import { findSlapd, startSlapd } from "../../scripts/slapd.mjs";
import { findings } from "../axe";
import { newCertificate } from "../certificate";
import { directory } from "../directory";
import { test as base, expect } from "../fixtures";
import { startService } from "../service";
import { signIn } from "../sign-in";

const BASE = "dc=acme,dc=test";
const READER = "the password of the service's account";
const grace = { loginName: "grace", password: "correct horse of the directory" };
const LDIF = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
o: ACME
dc: acme

dn: uid=grace,${BASE}
objectClass: inetOrgPerson
uid: grace
cn: Grace Hopper
sn: Hopper
givenName: Grace
mail: grace@navy.test
userPassword: ${grace.password}`;

const test = base.extend<object, { service: { baseUrl: string; output(): string } }>({
  service: [
    async ({ application }, use) => {
      const { privateKey, certificate } = newCertificate("localhost");
      const slapd = await startSlapd({ ldif: LDIF, password: READER, certificate, key: privateKey });
      const ldap = {
        servers: [slapd.tls.replace("127.0.0.1", "localhost")],
        baseDn: BASE,
        bindDn: `cn=admin,${BASE}`,
        bindPassword: READER,
        userObjectClasses: ["inetOrgPerson"],
        userFilters: ["uid"],
        rootCa: certificate,
        emailVerified: true,
        attributes: {
          ...{ idAttribute: "entryUUID", firstNameAttribute: "givenName", lastNameAttribute: "sn" },
          ...{ emailAttribute: "mail", preferredUsernameAttribute: "uid" },
        },
      };
      const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };
      const provider = { name: "ACME directory", ldap, providerOptions };
      const file = directory(application, []) as { instance?: object };
      // Only providers of the service may be in the networks that the operator names.
      const bootstrap = { ...file, instance: { ...file.instance, identityProviders: [provider] } };
      const service = await startService({ bootstrap, env: { LDAP_NETWORKS: "127.0.0.0/8" } });
      await use(service);
      await service.stop();
      await slapd.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

test.skip(findSlapd() === undefined, "slapd is not installed");

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("the password of the directory signs in, a wrong or empty one does not", async ({ page, service }) => {
      await page.goto(`${service.baseUrl}/account`);
      await page.getByRole("button", { name: "ACME directory" }).click();
      await expect(page.getByRole("heading", { name: "Sign in with ACME directory" })).toBeVisible();
      if (javaScriptEnabled) expect(await findings(page)).toEqual([]);
      // An empty password would bind anonymously.
      for (const password of ["wrong", ""]) {
        await signIn(page, { ...grace, password });
        await expect(
          page.getByText(password ? "Login name or password is not correct" : "Enter your password").first(),
        ).toBeVisible();
      }
      await signIn(page, { ...grace, loginName: "*" });
      await expect(page.getByText("Login name or password is not correct").first()).toBeVisible();
      await signIn(page, grace);
      await expect(page).toHaveURL(/\/account/);
      await expect(page.getByText("Grace Hopper").first()).toBeVisible();
    });
  });
}
