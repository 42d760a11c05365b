/** What somebody does on the pages of their own account: the walks of the tests about them. */
import { PASSWORD } from "./example";
import { attribute, enterPassword, newPerson, pathOf } from "./factors";
import { byId, tagsOf } from "./page-samples";
import type { TestBrowser, TestService } from "./test-context";

export interface AtHome {
  id: string;
  loginName: string;
  browser: TestBrowser;
  /** The id of the session that the pages are about. */
  session: string;
  /** One of the pages, `security` or `email/change`. */
  page(section?: string): Promise<string>;
  /** Posts the form behind a button of a page; what a link leads to is asked about first. */
  press(html: string, id: string, more?: Record<string, string>): Promise<Response>;
}

/** Somebody signed in by password, at the overview. */
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

/** The kinds of what happened to somebody, oldest first. */
export async function eventsOf(service: TestService, id: string): Promise<string[]> {
  const where = { aggregateType: "user", aggregateId: id };
  const rows = await service.ctx.db.prisma.event.findMany({ where, orderBy: { sequence: "asc" } });
  return rows.map(({ type }) => type);
}
