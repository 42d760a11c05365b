/**
 * Requests that an application on another site posts from a form (OIDC Core §3.1.2.1, RP-Initiated Logout §2):
 * Chromium omits the SameSite=Lax cookie from such a post, and users must not notice.
 */
import type { Page } from "@playwright/test";
import { ada, clientSecret, clients } from "../directory";
import { expect, type RunningService, test } from "../fixtures";
import type { RelyingParty } from "../relying-party";
import { signIn } from "../sign-in";

/** Opens a page of the application, on 127.0.0.1 because the service is on localhost, which posts at once. */
async function postFromApplication(
  page: Page,
  { origin }: RelyingParty,
  action: string,
  fields: Record<string, string>,
): Promise<void> {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const form = `<form method="post" action="${action}">${inputs.join("")}</form><script>document.forms[0].submit()</script>`;
  await page.route(`${origin}/post`, (route) => route.fulfill({ contentType: "text/html", body: form }));
  await page.goto(`${origin}/post`);
}

async function tokensOf({ baseUrl }: RunningService, { redirectUri }: RelyingParty, code: string) {
  const answer = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${clients.basic}:${clientSecret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri }),
  });
  return (await answer.json()) as { id_token: string; access_token: string };
}

test("form posts from another site sign in, silently within a session, and sign out", async ({
  page,
  service,
  relyingParty,
}) => {
  const { redirectUri, postLogoutRedirectUri } = relyingParty;
  const request = { client_id: clients.basic, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  const authorize = `${service.baseUrl}/oauth/v2/authorize`;

  await postFromApplication(page, relyingParty, authorize, { ...request, state: "first" });
  await signIn(page, ada);
  await page.waitForURL(`${redirectUri}?**`);

  await postFromApplication(page, relyingParty, authorize, { ...request, state: "a b&ü", prompt: "none" });
  await page.waitForURL(`${redirectUri}?**`);
  const silent = relyingParty.arrivals.at(-1)?.url.searchParams;
  expect(silent?.get("error")).toBeNull();
  expect(silent?.get("state")).toBe("a b&ü");

  const { id_token, access_token } = await tokensOf(service, relyingParty, silent?.get("code") ?? "");
  const userinfo = () =>
    fetch(`${service.baseUrl}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await userinfo()).status).toBe(200);
  await postFromApplication(page, relyingParty, `${service.baseUrl}/oidc/v1/end_session`, {
    id_token_hint: id_token,
    post_logout_redirect_uri: postLogoutRedirectUri,
    state: "bye",
  });
  await page.waitForURL(`${postLogoutRedirectUri}?state=bye`);
  expect((await userinfo()).status).toBe(401);
});
