/** The text editor for users with all permissions, with read access, and for the owner of one organization. */
import type { Page } from "@playwright/test";
import { ada, directory } from "../directory";
import { startService } from "../service";
import { test as base, expect, openConsole } from "./fixtures";

export { expect };

const person = (id: string, organization: string, roles: string[]) => ({
  id: `u-${id}`,
  loginName: `${id}@${organization}.test`,
  password: "a long battery of staples",
  roles,
});
/** May only read the texts of ACME. */
export const vera = person("vera", "acme", ["ORG_OWNER_VIEWER"]);
/** Owns another organization. */
export const oskar = person("oskar", "other", ["ORG_OWNER"]);
/** Owns the same organization. */
export const olive = person("olive", "other", ["ORG_OWNER"]);

const asUser = ({ id, loginName, password, roles }: typeof vera) => ({
  id,
  userName: loginName,
  password,
  roles,
  profile: { firstName: id, lastName: "Editor", preferredLanguage: "en" },
  email: { email: loginName, isEmailVerified: true },
});

interface File {
  organizations: { id: string; name: string; domains?: object[]; users: object[] }[];
}

/** A service that sends emails to a mailbox of the test, with four people who work on texts. */
export const test = base.extend<object, { service: { baseUrl: string; output(): string } }>({
  service: [
    async ({ application, mailbox }, use) => {
      const bootstrap = structuredClone(directory(application, [])) as File;
      bootstrap.organizations[0]?.users.push(asUser(vera));
      bootstrap.organizations.push({
        id: "other",
        name: "Other <b>Ltd</b>",
        domains: [{ domain: "other.test", verified: true, primary: true }],
        users: [asUser(oskar), asUser(olive)],
      });
      const env = { SMTP_URL: mailbox.url, MAIL_FROM: "ACME <no-reply@acme.test>" };
      const service = await startService({ bootstrap, env });
      await use(service);
      const status = await service.stop();
      if (status !== 0) throw new Error(`The service ended with ${status}:\n${service.output()}`);
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

export const TEXTS = "/console/organizations/acme/texts";

/** Opens one text of ACME, `init/de`, and waits until it can be edited. */
export async function openText(page: Page, baseUrl: string, text: string, who = ada): Promise<void> {
  await openConsole(page, `${baseUrl}${TEXTS}/${text}`, who);
  await isReady(page);
}

/** Waits until the scripts of the page run: the preview has arrived. */
export async function isReady(page: Page): Promise<void> {
  await expect(page.locator(".mail-screen iframe, .phone-text").first()).toBeVisible();
}

export const field = (page: Page, name: string) => page.locator(`#text-${name}`);

/** Returns a text as the API has it, with the page's session. */
export function savedText(page: Page, path: string): Promise<Record<string, unknown>> {
  return page.evaluate(async (address) => {
    const answer = await fetch(`/console/api/management/v1/text/message/${address}`, {
      headers: { "x-service-orgid": "acme" },
    });
    return (await answer.json()).customText;
  }, path);
}

/** Saves with the keyboard and waits for the confirmation. */
export async function save(page: Page): Promise<void> {
  await page.keyboard.press("Control+s");
  await expect(page.locator(".save-state")).toHaveText(/^(The text is saved|Saved with .*)$/);
}
