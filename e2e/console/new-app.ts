/** An app created by the console's wizard, and the code on its page, as a user copies both. */
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

export interface WantedApp {
  kind: "web" | "browser" | "native" | "device" | "machine" | "api";
  /** The id of the framework. */
  stack?: string;
  /** Whether it has a private key instead of a secret. */
  withKey?: boolean;
  name: string;
  redirectUri?: string;
}

export interface MadeApp {
  clientId: string;
  secret: string | undefined;
  /** The key file. */
  key?: string;
}

/** Creates an app with the wizard and opens its page. */
export async function addApp(page: Page, { kind, stack, withKey, name, redirectUri }: WantedApp): Promise<MadeApp> {
  await page.goto("/console/organizations/acme/apps");
  await page.locator("#add-app").click();
  await page.locator(`#kind-${kind}`).check();
  if (stack !== undefined) await page.locator(`#stack-${stack}`).check();
  if (withKey) await page.locator("#credential-key").check();
  await page.getByLabel("Name", { exact: true }).fill(name);
  if (redirectUri !== undefined) await page.locator("#redirectUris-0").fill(redirectUri);
  await page.locator("#create-app").click();
  const hasSecret = kind === "web" || kind === "machine" || kind === "api";
  if (!hasSecret) {
    await expect(page.locator("#connect")).toBeVisible();
    return { clientId: await connectionValue(page, "Client ID"), secret: undefined };
  }
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const shown = await dialog.locator("pre").allTextContents();
  await dialog.getByRole("checkbox").check();
  await page.locator("#secret-stored").click();
  await expect(dialog).toHaveCount(0);
  const [key = ""] = shown;
  if (withKey) return { clientId: JSON.parse(key).clientId ?? "", secret: undefined, key };
  const [clientId = "", secret] = shown;
  return { clientId, secret };
}

/** Returns a value of the connection on the app's page. */
export async function connectionValue(page: Page, label: string): Promise<string> {
  const line = page
    .locator(".connection")
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: label }) });
  return (await line.locator("code").textContent()) ?? "";
}

/** Opens a view of the app whose page is open. */
export async function openView(
  page: Page,
  view: "Quickstart" | "Settings" | "Credentials" | "Sign-ins",
): Promise<void> {
  const link = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "true");
}

/**
 * Returns the files of one stack by name. @param part a part of the page; that of an API has the code of two variants
 */
export async function codeOf(page: Page, stack: string | RegExp, part = "main"): Promise<Map<string, string>> {
  const within = page.locator(part);
  const tab = within.getByRole("tab", { name: stack });
  await tab.click();
  // The page was just opened: until its scripts run, it shows the panel of the first stack.
  await expect(tab).toHaveAttribute("aria-selected", "true");
  const shown = within.getByRole("tabpanel", { name: stack }).locator("figure");
  await expect(shown.first()).toBeVisible();
  const blocks = await shown.all();
  const files = new Map<string, string>();
  for (const block of blocks) {
    const name = await block.locator("figcaption > span").first().textContent();
    files.set(name ?? "", (await block.locator("code").textContent()) ?? "");
  }
  return files;
}
