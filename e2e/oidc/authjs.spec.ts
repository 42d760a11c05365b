/** Auth.js 5 (the handler behind next-auth), unmodified, with its generic OIDC provider: PKCE, state and nonce. */
import { Auth, type AuthConfig } from "@auth/core";
import { getRequestListener } from "@hono/node-server";
import { ada, clientSecret, clients } from "../directory";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test("Auth.js signs a person in and out", async ({ page, service: { baseUrl }, relyingParty }) => {
  const config: AuthConfig = {
    basePath: "/auth",
    secret: "a secret of the application's own",
    trustHost: true,
    providers: [
      {
        id: "service",
        name: "Service",
        type: "oidc",
        issuer: baseUrl,
        clientId: clients.basic,
        clientSecret,
        checks: ["pkce", "state", "nonce"],
        authorization: { params: { scope: "openid profile email" } },
        idToken: false, // the profile comes from userinfo, because the id_token has no profile claims beside an access token
      },
    ],
    callbacks: { session: ({ session, token }) => ({ ...session, subject: token.sub }) },
    logger: { error: (error) => errors.push(error) },
  };
  const errors: Error[] = [];
  relyingParty.serve(
    getRequestListener((request) => {
      const isItsOwn = new URL(request.url).pathname.startsWith("/auth/");
      return isItsOwn ? Auth(request, config) : new Response(null, { status: 404 });
    }),
  );

  await page.goto(`${relyingParty.origin}/auth/signin?callbackUrl=/auth/session`);
  await page.getByRole("button", { name: "Sign in with Service" }).click();
  await signIn(page, ada);
  await page.waitForURL(`${relyingParty.origin}/auth/session`);
  expect(errors).toEqual([]);
  const session = JSON.parse(await page.locator("body").innerText());
  expect(session.user).toMatchObject({ name: "Ada Lovelace", email: "ada@acme.test" });

  await page.goto(`${relyingParty.origin}/auth/signout?callbackUrl=/auth/session`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(`${relyingParty.origin}/auth/session`);
  expect(JSON.parse(await page.locator("body").innerText())).toBeNull();
});
