/** The application that posts its secret, without a browser: a program that signs in by posting the hosted form. */
import { ada, clientSecret, clients } from "./directory";

const client = { client_id: clients.post, client_secret: clientSecret };

export interface TokenAnswer {
  status: number;
  body: { error?: string; access_token?: string; refresh_token?: string };
}

/** Returns a code of a new sign-in, for a refresh token. */
export async function codeByForm(baseUrl: string, redirectUri: string): Promise<string> {
  const request = { client_id: clients.post, redirect_uri: redirectUri, response_type: "code" };
  const query = new URLSearchParams({ ...request, scope: "openid offline_access" });
  const authorize = await fetch(`${baseUrl}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const flow = new URL(authorize.headers.get("location") ?? "").searchParams.get("flow") ?? "";
  const body = new URLSearchParams({ flow, loginName: ada.loginName, password: ada.password });
  const answer = await fetch(`${baseUrl}/login/submit`, { method: "POST", redirect: "manual", body });
  return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

export function redeem(baseUrl: string, redirectUri: string, code: string): Promise<TokenAnswer> {
  return token(baseUrl, { grant_type: "authorization_code", code, redirect_uri: redirectUri });
}

export function refresh(baseUrl: string, refreshToken: string): Promise<TokenAnswer> {
  return token(baseUrl, { grant_type: "refresh_token", refresh_token: refreshToken });
}

export async function statusOfUserinfo(baseUrl: string, accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await fetch(`${baseUrl}/oidc/v1/userinfo`, { headers })).status;
}

async function token(baseUrl: string, form: Record<string, string>): Promise<TokenAnswer> {
  const body = new URLSearchParams({ ...form, ...client });
  const response = await fetch(`${baseUrl}/oauth/v2/token`, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}
