/** Searches by day use the reader's time zone, and a link to one means the same days for every reader. */
import { findings, VIEWS } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { signIn } from "../sign-in";
import { expect, test } from "./fixtures";

/** A zone whose day differs from that of UTC, now and for some time. */
const zone = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format();

test.use({ timezoneId: zone });

test("a search uses days in the reader's time zone, which a link keeps and the page names", async ({
  page,
  browser,
  service,
}) => {
  const log = `${service.baseUrl}/console/events`;
  const from = today();
  await page.goto(log);
  await signIn(page, ada);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Service audit log");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("From", { exact: true }).fill(from);
  await page.getByLabel("To", { exact: true }).fill(today());
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(new RegExp(`zone=${encodeURIComponent(zone)}`));
  const entries = page.locator("tbody tr");
  await expect(entries.first()).toContainText("signed in");
  await expect(page.getByLabel("Time zone")).toHaveCount(0);

  const storageState = await page.context().storageState();
  const elsewhere = await browser.newContext({ storageState, timezoneId: "Europe/Berlin" });
  const other = await elsewhere.newPage();
  await other.goto(page.url());
  const chosen = other.getByLabel("Time zone");
  await expect(chosen).toHaveValue(zone);
  await expect(other.getByLabel("From", { exact: true })).toHaveValue(from);
  expect(await other.locator("tbody tr").count()).toBe(await entries.count());
  for (const { colorScheme, width, rules } of VIEWS) {
    await other.emulateMedia({ colorScheme });
    await other.setViewportSize({ width, height: 800 });
    expect(await findings(other, rules)).toEqual([]);
    await keepPicture(other, `days-${colorScheme}-${width}`);
  }
  await other.setViewportSize({ width: 1280, height: 800 });
  await chosen.selectOption("Europe/Berlin");
  await other.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(other).toHaveURL(/zone=Europe%2FBerlin/);
  await expect(chosen).toHaveCount(0);
  await elsewhere.close();
});

test("days in a link without a time zone are in UTC", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/console/attempts?from=2026-01-01`);
  await signIn(page, ada);
  await expect(page.getByLabel("Time zone")).toHaveValue("UTC");
  await page.goto(`${service.baseUrl}/console/mail?from=2026-01-01&zone=Mars`);
  await expect(page.getByLabel("Time zone")).toHaveValue("UTC");
});

test("charts count days in the reader's time zone", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/console`);
  await signIn(page, ada);
  const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: zone }).format();
  await expect(page.locator(".chart-axis").first().locator("span").last()).toHaveText(day);
});
