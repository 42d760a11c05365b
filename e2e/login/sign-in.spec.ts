/** The sign-in page for users: without JavaScript, by keyboard, in either language, on a phone. */
import { createHash } from "node:crypto";
import { ada, bob, clientSecret, clients } from "../directory";
import { expect, test } from "../fixtures";
import { keepPicture } from "../pictures";
import { backAtApplication, signIn } from "../sign-in";

test.use({ javaScriptEnabled: false });

function authorizeUrl(baseUrl: string, redirectUri: string, more: Record<string, string> = {}): string {
  const parameters = {
    client_id: clients.basic,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state: "s",
    ...more,
  };
  return `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
}

test("a user signs in without JavaScript, with the keyboard alone", async ({ page, service, relyingParty }) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await expect(page.locator("#loginName")).toBeFocused();
  await page.keyboard.type(ada.loginName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(ada.password);
  await page.keyboard.press("Enter");
  const callback = await backAtApplication(page, relyingParty.redirectUri);
  expect(callback.searchParams.get("code")).toBeTruthy();
  expect(callback.searchParams.get("state")).toBe("s");
});

test("a wrong password and an unknown user get the same message, keep the name, and can try again", async ({
  page,
  service,
  relyingParty,
}) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, { loginName: "nobody@acme.test", password: "whatever it may be" });
  const forNobody = await page.getByRole("alert").innerText();
  await expect(page.locator("#loginName")).toHaveValue("nobody@acme.test");
  await expect(page.locator("#password")).toHaveValue("");
  await signIn(page, { ...ada, password: "whatever it may be" });
  await expect(page.locator("#password")).toHaveValue(""); // it is the next page
  expect(await page.getByRole("alert").innerText()).toBe(forNobody);
  await expect(page).toHaveTitle(/^Error: /);
  await signIn(page, ada);
  await backAtApplication(page, relyingParty.redirectUri);
});

test("the page is in German on request, and in English again by its switch", async ({
  page,
  service,
  relyingParty,
}) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { ui_locales: "de-CH" }));
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByRole("contentinfo").getByText("Deutsch").first().click();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await signIn(page, { ...ada, password: "wrong wrong wrong" });
  await expect(page.getByRole("alert")).toBeVisible(); // it is the next page
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("a user with two accounts chooses one, and signs out of one", async ({ page, service, relyingParty }) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, ada);
  await backAtApplication(page, relyingParty.redirectUri);
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { prompt: "login" }));
  await signIn(page, bob);
  await backAtApplication(page, relyingParty.redirectUri);

  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await expect(page.locator("button[name=session]")).toHaveCount(2);
  await page.locator("button[name=remove-session]").first().click();
  await expect(page.locator("button[name=session]")).toHaveCount(1);
  await page.locator("button[name=session]").click();
  await backAtApplication(page, relyingParty.redirectUri);
});

test("an installed app gets the identity only after the user allowed it once, and accepts a refusal", async ({
  page,
  service,
  relyingParty,
}) => {
  const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
  const native = { client_id: clients.native, code_challenge: challenge, code_challenge_method: "S256" };
  const open = () => page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, native));
  await open();
  await signIn(page, bob);
  await expect(page.getByRole("heading", { name: "Continue to Shop on the phone as Bob Marley?" })).toBeVisible();
  await page.locator("#deny").click();
  const refused = await backAtApplication(page, relyingParty.redirectUri);
  expect(refused.searchParams.get("error")).toBe("access_denied");
  await open();
  await page.locator("#submit").click();
  await backAtApplication(page, relyingParty.redirectUri);
  await open();
  const callback = await backAtApplication(page, relyingParty.redirectUri);
  expect(callback.searchParams.get("code")).toBeTruthy();
});

test("a form_post response reaches the application by pressing the button", async ({ page, service, relyingParty }) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { response_mode: "form_post" }));
  await signIn(page, ada);
  await page.getByRole("button").click();
  await expect(page.getByRole("heading", { name: "Back at the application" })).toBeVisible();
  expect(relyingParty.arrivals.at(-1)?.form.get("code")).toBeTruthy();
});

test("a sign-out without proof of the requester is confirmed first, and reports when it is done", async ({
  page,
  service,
  relyingParty,
}) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, ada);
  await backAtApplication(page, relyingParty.redirectUri);
  await page.goto(`${service.baseUrl}/oidc/v1/end_session`);
  await page.locator("#confirm-logout").click();
  await expect(page).toHaveURL(`${service.baseUrl}/logout/done`);
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { prompt: "none" }));
  expect(new URL(page.url()).searchParams.get("error")).toBe("login_required");
});

for (const scheme of ["light", "dark"] as const) {
  test(`fits a phone of 320 px without sideways scrolling, in ${scheme}`, async ({
    browser,
    service,
    relyingParty,
  }) => {
    const context = await browser.newContext({ viewport: { width: 320, height: 568 }, colorScheme: scheme });
    const page = await context.newPage();
    await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
    const [content, viewport] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(content).toBeLessThanOrEqual(viewport ?? 0);
    await keepPicture(page, `sign-in-${scheme}-phone`);
    await context.close();
  });
}

test("an unknown flow leads to a page that says what to do", async ({ page, service }) => {
  const response = await page.goto(`${service.baseUrl}/login?flow=AAAA`);
  expect(response?.status()).toBe(410);
  await expect(page.getByRole("heading")).toBeVisible();
});

test("a secret of an application does not sign in at its page", async ({ page, service, relyingParty }) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, { loginName: clients.basic, password: clientSecret });
  await expect(page.getByRole("alert")).toBeVisible();
});
