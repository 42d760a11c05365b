/** No element moves while a page of the console loads, on a slow connection and in another time zone. */
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { bob } from "../directory";
import { watchPages } from "../steady";
import { causeMail, expect, test } from "./fixtures";
import { addApp } from "./new-app";
import { ACME, begin, PAGES, ZONE } from "./pages";

test.use({ timezoneId: ZONE });

/** The pages beside those of `pages.spec.ts`. */
const MORE = {
  "of apps": [
    ...["/apps/new", "/projects", "/projects/shop", "/playground?project=shop&app=app-spa"],
    ...["web-basic#first", "web-basic?view=settings", "web-basic?view=credentials", "spa", "native", "shop-api"].map(
      (app) => `/projects/shop/apps/app-${app}`,
    ),
  ].map((path) => ACME + path),
  "of texts and mails": [
    ...["/console/mail", "/console/mail/all", "/console/attempts", "/console/texts", "/console/texts/pages"],
    ...["/console/texts/init/de", "/console/texts/pages/sign-in/de"],
    ...["/texts", "/texts/pages", "/texts/init/de", "/texts/pages/sign-in/de"].map((path) => ACME + path),
    ...["/attempts", "/events?actor=u-ada", "/domains/acme.test"].map((path) => ACME + path),
  ],
};

/** Returns the elements that move, by page. */
async function movesOn(page: Page, paths: readonly string[]): Promise<Record<string, string[]>> {
  const { whatMoves } = await watchPages(page);
  const moves: Record<string, string[]> = {};
  for (const path of paths) {
    const found = await whatMoves(path);
    if (found.length > 0) moves[path] = found;
  }
  return moves;
}

for (const [which, paths] of Object.entries(MORE)) {
  test(`nothing jumps while a page of the console loads, ${which}`, async ({ page }) => {
    await begin(page);
    expect(await movesOn(page, paths)).toEqual({});
  });
}

/** Pages of the tests below, and one that grows while its requests are answered. */
const OTHERS = ["/console/mail/[id]", "/console/[...missing]", "/console/playground/callback"];

test("every page of the console is covered by the tests of layout shifts", () => {
  const folder = path.join(import.meta.dirname, "../../app/console");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const routes = files.filter((file) => path.basename(file) === "page.tsx").map((file) => path.dirname(file));
  const walked = Object.values({ ...PAGES, ...MORE }).flatMap((paths) => paths.map((one) => one.replace(/[?#].*/, "")));
  const missing = routes
    .map((route) => `/console/${route}`.replace(/\/\.$/, ""))
    .filter((route) => !OTHERS.includes(route))
    .filter((route) => !walked.some((one) => new RegExp(`^${route.replace(/\[[^/]+\]/g, "[^/]+")}$`).test(one)));
  expect(missing).toEqual([]);
});

test("nothing jumps while the list of users loads with saved views", async ({ page }) => {
  await begin(page);
  for (const at of [`${ACME}/users`, "/console/users"]) {
    for (const name of ["Who was here last, of all people whom we know", "忘れた人"]) {
      await page.goto(`${at}?sort=signedIn&order=desc&factors=${name.length > 9 ? "none" : "some"}`);
      await page.locator("#save-view").click();
      await page.getByLabel("View name").fill(name);
      await page.locator("#save-view-submit").click();
      await expect(page.getByRole("link", { name })).toBeVisible();
    }
  }
  expect(await movesOn(page, [`${ACME}/users`, "/console/users"])).toEqual({});
});

test("nothing jumps while the page of a mail loads", async ({ page }) => {
  await causeMail(page, bob.loginName);
  await begin(page);
  await page.goto("/console/mail");
  const address = (await page.getByRole("row").nth(1).getByRole("link").first().getAttribute("href")) ?? "";
  expect(await movesOn(page, [address])).toEqual({});
});

test("nothing jumps while the page of a new app and the playground load", async ({ page }) => {
  await begin(page);
  // The service warns about plain http, and the playground shows the request of an app that permits it.
  await addApp(page, { kind: "web", name: "Plain shop", redirectUri: "http://shop.example/callback" });
  const { pathname } = new URL(page.url());
  await page.locator("#open-playground").click();
  await page.locator("#allow-playground").click();
  await expect(page.locator("#run")).toBeVisible();
  expect(await movesOn(page, [`${pathname}#first`, page.url()])).toEqual({});
});

test("nothing is replaced in a browser with another date format", async ({ page }) => {
  await begin(page);
  await page.addInitScript(() => {
    const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format") ?? {};
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
      get() {
        return (date: Date) => `on ${get?.call(this)(date)}`;
      },
    });
  });
  expect(await movesOn(page, [`${ACME}/users`])).toEqual({});
});
