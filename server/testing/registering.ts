/** Clients that register themselves at a service under test, and sign users in. */
import { setSecuritySettings } from "../directory/instance-settings";
import { callApi } from "./api";
import { authorize, pkcePair } from "./flow";
import type { TestService } from "./test-context";

export const TOOL_CALLBACK = "https://tool.test/callback";
const { verifier, challenge } = pkcePair();

/** The answer to a registration. */
export type RegisteredTool = Record<string, string> & { client_id: string };

/** Returns what tests of registration do with a service. */
export function registeringAt(service: TestService) {
  const post = (body: unknown, authorization?: string, on = service) =>
    on.fetch("/oauth/v2/register", {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
    });
  const request = (client: Record<string, string>, more: Partial<Record<string, string>> = {}) => ({
    client_id: client.client_id,
    redirect_uri: TOOL_CALLBACK,
    scope: "openid profile",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  });
  return {
    post,
    request,
    allow: (enabled: boolean, allowUnauthenticated = true) =>
      setSecuritySettings(
        { ...service.ctx, origin: { actor: "system" } },
        { dynamicClientRegistration: { enabled, allowUnauthenticated } },
      ),
    /** Registers a client that is valid with these members. */
    async registered(members: object = {}): Promise<RegisteredTool> {
      const response = await post({ redirect_uris: [TOOL_CALLBACK], client_name: "Notes", ...members });
      if (response.status !== 201) throw new Error(await response.text());
      return (await response.json()) as RegisteredTool;
    },
    /** Calls the configuration endpoint (RFC 7592), by default with the client's own token. */
    configure: (client: Record<string, string>, method: string, body?: object, token?: string) =>
      service.fetch(client.registration_client_uri ?? "", {
        method,
        headers: {
          authorization: `Bearer ${token ?? client.registration_access_token}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    /** @param owner the access token of an administrator */
    async initialToken(owner: string, lifetime?: string): Promise<{ id: string; token: string }> {
      const made = await callApi(service, "POST", "/admin/v1/registration_tokens", {
        token: owner,
        body: { lifetime },
      });
      return made.body;
    },
    /** Signs Ada in. Returns the form that redeems the code. */
    async signIn(client: Record<string, string>, more: Partial<Record<string, string>> = {}) {
      const code = (await authorize(service.browser(), request(client, more))).get("code") ?? "";
      return { grant_type: "authorization_code", code, redirect_uri: TOOL_CALLBACK, code_verifier: verifier };
    },
  };
}
