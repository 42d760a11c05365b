/**
 * Two organizations that do not trust each other: ACME of the example, and one whose machine tries to access data of
 * ACME.
 */
import { exampleBootstrap, PASSWORD, SECRET } from "./example";
import { basic, postToken, type Tokens } from "./flow";
import type { TestService } from "./test-context";

const [acme] = exampleBootstrap.organizations;

export const tenants = {
  organizations: [
    { ...acme, machines: [{ id: "m-ci", userName: "ci", secret: SECRET }] },
    {
      id: "evil",
      name: "Evil",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [
        {
          id: "u-uma",
          userName: "uma",
          password: PASSWORD,
          profile: { firstName: "Uma", lastName: "User" },
          email: { email: "uma@evil.test", isEmailVerified: true },
        },
      ],
      machines: [
        { id: "m-mallory", userName: "mallory", secret: SECRET, roles: ["ORG_OWNER"] },
        { id: "m-evil-ci", userName: "ci", secret: `evil-${SECRET}` },
      ],
      projects: [
        {
          id: "pe",
          name: "Evil project",
          apps: [
            { id: "a-evil", name: "Evil app", oidc: { ...acme?.projects[0]?.apps[0]?.oidc, clientId: "evil-web" } },
          ],
        },
      ],
    },
  ],
};

/** Returns a token of a machine for the management APIs. */
export async function managementToken(service: TestService, userName: string, secret = SECRET): Promise<string> {
  const scope = "openid urn:service:iam:org:project:id:service:aud";
  const answer = await postToken(service, { grant_type: "client_credentials", scope }, basic(userName, secret));
  return ((await answer.json()) as Tokens).access_token;
}
