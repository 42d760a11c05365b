/** The console in forced colours: lines show what can be pressed and what is selected. */
import { ada } from "../directory";
import { unmarked } from "../forced-colours";
import { expect, openConsole, test } from "./fixtures";
import { ACME } from "./pages";

/** The pages beside those of `pages.spec.ts`. */
const PLACES = [
  ...["/console/attempts", "/console/texts", "/console/texts/pages/sign-in/de", "/account/security"],
  ...["/projects/shop", "/projects/shop/apps/app-spa", "/projects/shop/apps/app-spa?view=settings", "/apps/new"].map(
    (at) => ACME + at,
  ),
];

test("elements that can be pressed have a line in forced colours", async ({ page }) => {
  await openConsole(page, "/console", ada);
  const found: Record<string, string[]> = {};
  for (const place of PLACES) {
    await page.goto(place);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const here = await unmarked(page);
      if (here.length > 0) found[`${place} at ${width}`] = here;
    }
  }
  expect(found).toEqual({});
});

/** By page, each selected element beside an unselected one, and the property that distinguishes them. */
const CHOSEN = {
  "/console": [".areas a[aria-current]", ".areas a:not([aria-current])"],
  "/console/users": [".views a[aria-current]", ".views a:not([aria-current])"],
  "/console/texts": [".text-kinds a[aria-current]", ".text-kinds a:not([aria-current])"],
  "/console/texts/init/de": [".message-list a[aria-current]", ".message-list a:not([aria-current])"],
  "/console/texts/init/en": [".language-tabs [aria-selected=true]", ".language-tabs [aria-selected=false]"],
  "/console/texts/init/fr": [".tab[aria-selected=true]", ".tab[aria-selected=false]"],
  "/console/policies": [".segments input:checked + span", ".segments input:not(:checked) + span"],
  "/account/security": [".account-nav [aria-current]", ".account-nav a:not([aria-current])"],
  // The chart: successful and failed sign-ins.
  "/console/status": [".legend .bar-0", ".legend .bar-1"],
} as const;

test("selected elements and chart entries differ by a line or a pattern", async ({ page }) => {
  await openConsole(page, "/console", ada);
  const same: string[] = [];
  for (const [place, pair] of Object.entries(CHOSEN)) {
    await page.goto(place);
    await page.emulateMedia({ forcedColors: "active" });
    const [one, other] = await Promise.all(
      pair.map((selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const probe = document.body.appendChild(document.createElement("span"));
            probe.style.color = "Canvas";
            const canvas = getComputedStyle(probe).color;
            probe.remove();
            // Only whether there is a colour, not which one.
            const isSeen = (colour: string) => colour !== canvas && !/^rgba.* 0\)$/.test(colour);
            const { outlineStyle, borderBottomColor, backgroundColor, fill } = getComputedStyle(element);
            return JSON.stringify([outlineStyle !== "none", ...[borderBottomColor, backgroundColor, fill].map(isSeen)]);
          }),
      ),
    );
    if (one === other) same.push(`${place}: ${pair.join(" as ")}`);
  }
  expect(same).toEqual([]);
});

test("the highlights behind a text show no text in forced colours", async ({ page }) => {
  await openConsole(page, "/console/texts/init/en", ada);
  await page.emulateMedia({ forcedColors: "active" });
  const marks = page.locator(".text-marks").first();
  expect(await marks.evaluate((element) => getComputedStyle(element).color)).toBe("rgba(0, 0, 0, 0)");
});
