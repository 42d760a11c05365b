/** A service whose machine may change and read everything, for tests of effects through the management API. */

import { directory, machine } from "./directory";
import { test as base } from "./fixtures";
import { startService } from "./service";

export { expect } from "./fixtures";

interface File {
  organizations: { machines?: object[] }[];
}

export const test = base.extend<object, { service: { baseUrl: string; output(): string } }>({
  service: [
    async ({ application }, use) => {
      const bootstrap = structuredClone(directory(application, [])) as File;
      const [acme] = bootstrap.organizations;
      if (acme) acme.machines = acme.machines?.map((of) => ({ ...of, roles: ["IAM_OWNER"] }));
      const service = await startService({ bootstrap });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

export type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** Returns a function that calls the management API as the machine, below `path`. */
export async function callAt(baseUrl: string, path: string): Promise<Call> {
  const scope = "openid urn:service:iam:org:project:id:service:aud";
  const answer = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${machine.clientId}:${machine.secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return (method, below, body) =>
    fetch(`${baseUrl}${path}${below}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
}
