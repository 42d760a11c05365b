// Takes the pictures of the documents: `node scripts/screenshots.mjs` follows the first five minutes on an empty
// database, so that pictures and product agree. Needs a build and Chromium.
import { chromium } from "@playwright/test";
import { inProject } from "./environment.mjs";
import { findChromium } from "./machine.mjs";
import { startService } from "./service.mjs";

const person = { email: "grace@navy.test", password: "a few random words work well" };
const SIZE = { width: 1120, height: 760 };

const service = await startService();
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const context = await browser.newContext({
    viewport: SIZE,
    locale: "en-US",
    reducedMotion: "reduce",
    baseURL: service.baseUrl,
  });
  const page = await context.newPage();
  const picture = (name, options = {}) => page.screenshot({ path: inProject("docs", `${name}.png`), ...options });

  await page.goto(/http\S+\/setup\?token=[\w-]+/.exec(service.output())[0]);
  await page.locator("#organizationName").fill("Navy");
  await page.locator("#email").fill(person.email);
  await page.locator("#givenName").fill("Grace");
  await page.locator("#familyName").fill("Hopper");
  await page.locator("#password").fill(person.password);
  await page.locator("#submit").click();
  await page.locator("#sign-out").waitFor();
  await picture("console");

  const stranger = await browser.newContext({
    viewport: SIZE,
    locale: "en-US",
    reducedMotion: "reduce",
    baseURL: service.baseUrl,
  });
  const signIn = await stranger.newPage();
  await signIn.goto("/console");
  await signIn.locator("#loginName").fill(person.email);
  await bothSchemes(signIn);

  await page.getByRole("link", { name: "Apps", exact: true }).click();
  await page.locator("#add-app").click();
  await page.locator("#kind-browser").check();
  await page.locator("#stack-spa").check();
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.evaluate(() => scrollTo(0, 0));
  await picture("new-app");
  await page.locator("#create-app").click();
  await page.locator("#connect").waitFor();
  await page.locator("#first").evaluate((heading) => heading.scrollIntoView());
  await picture("app");

  await page.locator("#try-it").click();
  await page.locator("[data-what=userinfo]").waitFor();
  await picture("playground");

  await page.goto("/console/texts/password_change/en");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.frameLocator(".mail-screen iframe").first().locator("h1, p").first().waitFor();
  await picture("texts");
} finally {
  await browser.close();
  await service.stop();
}

/** Takes a picture of the sign-in page in light and dark mode side by side. */
async function bothSchemes(page) {
  const shots = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    shots.push((await page.screenshot({ clip: { x: 280, y: 0, width: 560, height: 620 } })).toString("base64"));
  }
  await page.emulateMedia({ colorScheme: "light" });
  const sheet = await page.context().newPage();
  await sheet.setViewportSize({ width: 1120, height: 620 });
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot}" style="display:block">`).join("");
  await sheet.setContent(`<body style="margin:0;display:flex">${images}</body>`);
  await sheet.screenshot({ path: inProject("docs", "sign-in.png") });
  await sheet.close();
}
