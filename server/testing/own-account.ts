/** The steps of a user on their account pages, for the tests of these pages. */
import { PASSWORD } from "./example";
import { attribute, enterPassword, newPerson, pathOf } from "./factors";
import { byId, tagsOf } from "./page-samples";
import type { TestBrowser, TestService } from "./test-context";

export interface AtHome {
  id: string;
  loginName: string;
  browser: TestBrowser;
  /** The id of the session of the pages. */
  session: string;
  /** Loads a page, for example `security` or `email/change`. */
  page(section?: string): Promise<string>;
  /** Posts the form of a button of a page. A link first leads to a page with a question. */
  press(html: string, id: string, more?: Record<string, string>): Promise<Response>;
}

/** Signs a user in with the password, at the overview. */
export async function atHome(
  service: TestService,
  person?: { id: string; loginName: string },
  browser: TestBrowser = service.browser(),
): Promise<AtHome> {
  const someone = person ?? (await newPerson(service, PASSWORD));
  await enterPassword(browser, {}, { loginName: someone.loginName, password: PASSWORD });
  const address = new URL(pathOf(await browser.get("/account")), "http://test");
  const session = address.searchParams.get("session") ?? "";
  if (address.pathname !== "/account" || session === "") throw new Error(`not at the account but at ${address}`);
  const page = async (section?: string) =>
    (await browser.get(`/account${section ? `/${section}` : ""}?session=${session}`)).text();
  return { ...someone, browser, session, page, press: (html, id, more) => press(browser, html, id, more) };
}

async function press(
  browser: TestBrowser,
  html: string,
  id: string,
  more: Record<string, string> = {},
): Promise<Response> {
  if (byId(html, id)?.tag === "a") {
    const asked = await browser.get(attribute(html, id, "href"));
    return asked.status === 200 ? press(browser, await asked.text(), "confirm", more) : asked;
  }
  const form = html.split("<form").find((part) => part.split("</form>")[0]?.includes(`id="${id}"`)) ?? "";
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
  const hidden = tagsOf(form.split("</form>")[0] ?? "").filter(({ type }) => type === "hidden");
  const values = Object.fromEntries(hidden.map(({ name = "", value = "" }) => [name, value]));
  return browser.post(action, { ...values, ...more });
}

/** Returns the types of the events of a user, oldest first. */
export async function eventsOf(service: TestService, id: string): Promise<string[]> {
  const where = { aggregateType: "user", aggregateId: id };
  const rows = await service.ctx.db.prisma.event.findMany({ where, orderBy: { sequence: "asc" } });
  return rows.map(({ type }) => type);
}
