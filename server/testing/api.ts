/** Calls of the management APIs as programs make them: a token of a user who signed in, JSON in, JSON out. */
import { authorize, redeem, type Tokens } from "./flow";
import type { TestService } from "./test-context";

export const API_SCOPE = "openid urn:service:iam:org:project:id:service:aud";

/** Returns an access token of a user for the management APIs, obtained as any app does. */
export async function apiToken(service: TestService, loginName = "ada@acme.test"): Promise<string> {
  const code = (await authorize(service.browser(), { scope: API_SCOPE }, { loginName })).get("code") ?? "";
  return ((await (await redeem(service, code)).json()) as Tokens).access_token;
}

export interface ApiCall {
  token?: string;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ApiResult {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers, tests compare it
  body: any;
}

export async function callApi(
  service: Pick<TestService, "fetch">,
  method: string,
  path: string,
  { token, body, headers = {} }: ApiCall = {},
): Promise<ApiResult> {
  const sent = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const response = await service.fetch(path, {
    method,
    body: sent,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Returns status, code and slug of a refusal. */
export function refusalOf({ status, body }: ApiResult): { status: number; code: number; id: string } {
  return { status, code: body.code, id: body.details[0].id };
}
