/** Navigation inside the console: the frame stays, and history, focus and unsaved input work as with whole pages. */
import type { Page } from "@playwright/test";
import { ada } from "../directory";
import { expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

const linkTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Marks the document, which a full load would replace. */
const markDocument = (page: Page) => page.evaluate(() => document.body.setAttribute("data-marked", ""));
const expectSameDocument = (page: Page) => expect(page.locator("body[data-marked]")).toHaveCount(1);

test("links keep the frame, mark the current page, and cost less than 40 kB", async ({ page }) => {
  await openConsole(page, `${ACME}/apps`, ada);
  await markDocument(page);
  const transferred: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().includes("_rsc=")) transferred.push(request.sizes().then((sizes) => sizes.responseBodySize));
  });
  for (const name of ["Projects", "Policies", "Sessions", "Audit log"]) {
    await linkTo(page, name).click();
    await expect(heading(page)).toHaveText(name);
    await expect(heading(page)).toBeFocused();
    await expect(linkTo(page, name)).toHaveAttribute("aria-current", "page");
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
  }
  await expectSameDocument(page);
  // Formatted by this page; after a reload by the server.
  const time = page.locator("main time").first();
  await expect(time).toHaveText(/\S/);
  const sizes = await Promise.all(transferred);
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...sizes)).toBeLessThan(40_000);
  await page.reload();
  await expect(time).toHaveText(/\S/);
});

test("a link that the pointer rests on is read ahead, and once", async ({ page }) => {
  await openConsole(page, `${ACME}/apps`, ada);
  const read: string[] = [];
  page.on("request", (request) => {
    const { rsc, "next-router-segment-prefetch": tree } = request.headers();
    if (rsc === "1" && tree === undefined) read.push(new URL(request.url()).pathname);
  });
  const ahead = page.waitForResponse((response) => response.url().includes(`${ACME}/projects`));
  await linkTo(page, "Projects").hover();
  await ahead;
  await expect.poll(() => read).toEqual([`${ACME}/projects`]);
  await linkTo(page, "Projects").click();
  await expect(heading(page)).toHaveText("Projects");
  expect(read.filter((path) => path === `${ACME}/projects`)).toHaveLength(1);
});

test("back and forward restore the scroll position and the filters of a list", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 400 });
  await openConsole(page, `${ACME}/users`, ada);
  await markDocument(page);
  await page.locator("#search").fill("a");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?q=a/);
  await expect(page.locator("#search")).toBeFocused();
  const filtered = page.url();
  await page.evaluate(() => scrollTo(0, 150));
  await linkTo(page, "Apps").click();
  await expect(heading(page)).toHaveText("Apps");
  await page.goBack();
  await expect(page).toHaveURL(filtered);
  await expect(page.locator("#search")).toHaveValue("a");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
  await page.goForward();
  await expect(heading(page)).toHaveText("Apps");
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/users$/);
  await expect(page.locator("#search")).toHaveValue("");
  await expectSameDocument(page);
});

test("unsaved input is asked about by links and by the back button, and is still there after staying", async ({
  page,
}) => {
  await openConsole(page, `${ACME}/apps`, ada);
  await page.locator(`.pages a[href="${ACME}/users"]`).click();
  await page.locator(`main a[href="${ACME}/users/invite"]`).click();
  await expect(page).toHaveURL(/invite$/);
  await markDocument(page);
  const invited = page.url();
  const address = page.locator("main textarea");
  await address.fill("new@acme.test");
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.goBack();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(invited);
  await expect(address).toHaveValue("new@acme.test");
  await linkTo(page, "Apps").click();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(address).toHaveValue("new@acme.test");
  await page.goBack();
  await dialog.locator("#leave").click();
  await expect(page).toHaveURL(`${new URL(invited).origin}${ACME}/users`);
  await expect(address).toHaveCount(0);
  await expectSameDocument(page);
});

test("the organization stays when pages change, also on pages that name none", async ({ page }) => {
  await openConsole(page, "/console/organizations", ada);
  const current = page.locator("#switch-organization bdi");
  await page.locator("main").getByRole("link", { name: "ACME", exact: true }).click();
  await expect(current).toHaveText("ACME");
  await linkTo(page, "Overview").click();
  await expect(heading(page)).toHaveText("Overview");
  await expect(current).toHaveText("ACME");
  await expect(linkTo(page, "Apps")).toHaveAttribute("href", `${ACME}/apps`);
});
