/** The steps of a user with an authenticator app, for the tests of second factors. */
import { Secret, TOTP } from "otpauth";
import { applyBootstrap } from "../bootstrap/apply";
import { changeDirectory } from "../directory/change";
import { setPolicy } from "../directory/policy/policies";
import { authorizePath, fillSignIn } from "./flow";
import { byId, tagsOf } from "./page-samples";
import type { TestBrowser, TestService } from "./test-context";

/** Signs a user in with the password and returns the next step. */
export async function enterPassword(
  browser: TestBrowser,
  parameters: Partial<Record<string, string>> = {},
  person?: { loginName?: string; password?: string },
): Promise<Response> {
  return fillSignIn(browser, await browser.get(authorizePath(parameters)), person);
}

/** Follows a redirect to a page of the service. */
export async function pageAt(browser: TestBrowser, response: Response): Promise<string> {
  return (await browser.get(pathOf(response))).text();
}

export function pathOf(response: Response): string {
  const url = new URL(response.headers.get("location") ?? "about:blank");
  return url.pathname + url.search;
}

/** Returns the hidden fields of the form that a page posts to `action`. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = new RegExp(`<form[^>]* action="${action}"[^>]*>(.*?)</form>`, "s").exec(html)?.[1] ?? "";
  const hidden = tagsOf(form).filter(({ type }) => type === "hidden");
  return Object.fromEntries(hidden.map(({ name, value }) => [name ?? "", plain(value ?? "")]));
}

const plain = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** Returns the code that the app shows at `now`, computed by the library alone. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Returns the key on the page of a new app. */
export function secretOn(html: string): string {
  return (/<code id="secret"[^>]*>([^<]*)</.exec(html)?.[1] ?? "").replaceAll(" ", "");
}

export const attribute = (html: string, id: string, name: string) => plain(byId(html, id)?.[name] ?? "");

export async function setLoginPolicy(service: TestService, settings: object): Promise<void> {
  const { ctx } = service;
  const { id } = await ctx.db.prisma.instance.findFirstOrThrow();
  await changeDirectory(ctx, (ctx) => setPolicy({ ...ctx, origin: { actor: "operator" } }, id, "login", settings));
}

/** Returns the passkey options that the page passes to the browser. */
export function formOptions(html: string): unknown {
  const form = tagsOf(html).find((tag) => tag["data-options"] !== undefined);
  return JSON.parse(plain(form?.["data-options"] ?? "{}"));
}

let people = 0;

/** Creates a user for a single test. */
export async function newPerson(service: TestService, password: string): Promise<{ id: string; loginName: string }> {
  const id = `u-factor-${++people}`;
  const loginName = `${id}@acme.test`;
  const profile = { firstName: "Fay", lastName: "Tor" };
  const user = { id, userName: loginName, password, profile, email: { email: loginName, isEmailVerified: true } };
  await applyBootstrap(service.ctx, { organizations: [{ id: "acme", name: "ACME", users: [user] }] });
  return { id, loginName };
}

export interface Protected {
  id: string;
  loginName: string;
  secret: string;
  recoveryCodes: string[];
}

/** Creates a user with an authenticator app, set up during a sign-in to an application. */
export async function newProtectedPerson(service: TestService, password: string): Promise<Protected> {
  const person = await newPerson(service, password);
  await setLoginPolicy(service, { mfaInitSkipLifetime: 3600 });
  const browser = service.browser();
  const choice = await pageAt(browser, await enterPassword(browser, {}, { ...person, password }));
  await setLoginPolicy(service, {});
  const page = await (await browser.get(attribute(choice, "set-up-app", "href"))).text();
  const secret = secretOn(page);
  const action = "/login/mfa/set-up/app/submit";
  const form = { ...hiddenFields(page, action), code: codeAt(secret, service.ctx.clock()), name: "Phone" };
  const codes = await (await browser.post(action, form)).text();
  const recoveryCodes = [...codes.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code = ""]) => code);
  service.advance(90_000); // past the time step that confirmed the app
  return { ...person, secret, recoveryCodes };
}
