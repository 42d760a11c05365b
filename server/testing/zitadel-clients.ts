/** A service that ZITADEL's clients can call, and how one of them gets its token. */
import { type ServiceOnAPort, serviceOnAPort } from "./on-a-port";

const SECRET = "a-secret-of-a-machine-with-40-characters-or-more";
const machine = (name: string, role: string) => ({
  id: `m-${name}`,
  userName: name,
  name,
  secret: SECRET,
  roles: [role],
});

const tenant = (id: string, machines: object[]) => ({
  id,
  name: id,
  domains: [{ domain: `${id}.test`, verified: true, primary: true }],
  machines,
});

const zitadelBootstrap = {
  instance: { features: { zitadelCompatibility: true, oidcTokenExchange: true } },
  organizations: [
    { ...tenant("acme", [machine("root", "IAM_OWNER"), machine("owner", "ORG_OWNER")]), default: true },
    tenant("evil", [machine("mallory", "ORG_OWNER")]),
  ],
};

export const zitadelService = (): Promise<ServiceOnAPort> => serviceOnAPort(zitadelBootstrap);

const ZITADEL_SCOPE = "openid urn:zitadel:iam:org:project:id:zitadel:aud";

/** The token response to client credentials of a machine. */
export async function machineTokens(
  { origin }: ServiceOnAPort,
  name: "root" | "owner" | "mallory",
  scope = ZITADEL_SCOPE,
): Promise<{ access_token: string; scope: string }> {
  const answer = await fetch(`${origin}/oauth/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${name}:${SECRET}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope }),
  });
  return (await answer.json()) as { access_token: string; scope: string };
}

type Caller = Parameters<typeof machineTokens>[1];
type Json = Record<string, unknown>;

/** Calls a procedure, by default as the owner of an organization. */
export type ZitadelCall = (
  procedure: string,
  body: Json,
  as?: Caller,
) => Promise<{ status: number; json: Json; ignored: string | null }>;

export async function zitadelCalls(service: ServiceOnAPort): Promise<ZitadelCall> {
  const tokens = { root: "", owner: "", mallory: "" };
  for (const name of ["root", "owner", "mallory"] as const) {
    tokens[name] = (await machineTokens(service, name)).access_token;
  }
  return async (procedure, body, as = "owner") => {
    const answer = await fetch(`${service.origin}/zitadel.${procedure}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[as]}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as Json;
    return { status: answer.status, json, ignored: answer.headers.get("x-service-ignored") };
  };
}
