/**
 * Single use across processes: two workers on one PostgreSQL, 100 redemptions of one code in parallel, one success
 * (RFC 6749 §4.1.2, RFC 9700 §2.1.1). `authorization-code.test.ts` proves it in one process.
 */
import { Agent, request } from "node:http";
import { startPostgres } from "../../scripts/postgres.mjs";
import { ada, clientSecret, clients, directory } from "../directory";
import { expect, test } from "../fixtures";
import { startService } from "../service";

test("100 parallel redemptions of one code give one success in two processes", async ({ application }) => {
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url, SECRET_KEY: "a-secret-key-for-two-processes-long-enough", WORKERS: "2" };
  const service = await startService({ bootstrap: directory(application, []), env });
  try {
    const code = await codeOf(service.baseUrl, application.redirectUri);
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: application.redirectUri,
      client_id: clients.post,
      client_secret: clientSecret,
    });
    // No kept connections, so that each request may reach the other process.
    const agent = new Agent({ keepAlive: false, maxSockets: 100 });
    const redemptions = Array.from({ length: 100 }, () => post(`${service.baseUrl}/oauth/v2/token`, form, agent));
    const answers = await Promise.all(redemptions);
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    const errors = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]);
    expect(errors).toEqual(Array.from({ length: 99 }, () => [400, "invalid_grant"]));
    // The repeated redemptions ended the family of the successful one.
    const userinfo = await fetch(`${service.baseUrl}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${successes[0]?.body.access_token}` },
    });
    expect(userinfo.status).toBe(401);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});

/** Signs in as a program that posts the hosted form. */
async function codeOf(baseUrl: string, redirectUri: string): Promise<string> {
  const parameters = { client_id: clients.post, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  const authorize = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
  const page = new URL((await fetch(authorize, { redirect: "manual" })).headers.get("location") ?? "");
  const answer = await fetch(`${baseUrl}/login/submit`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ flow: page.searchParams.get("flow") ?? "", ...ada }),
  });
  return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

function post(
  url: string,
  form: URLSearchParams,
  agent: Agent,
): Promise<{ status: number | undefined; body: { error?: string; access_token?: string } }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    outgoing.on("error", reject).end(form.toString());
  });
}
