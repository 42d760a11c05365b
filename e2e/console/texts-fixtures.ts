/** The text editor as it is met by who may do everything, by who may only read, and by the owner of one organization. */
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
/** May read the texts of ACME, and no more. */
export const vera = person("vera", "acme", ["ORG_OWNER_VIEWER"]);
/** Owns another organization. */
export const oskar = person("oskar", "other", ["ORG_OWNER"]);
/** Owns it with them. */
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

/** A service that sends mail to a mailbox of the test, with four people who care for texts. */
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

/** Opens one text of ACME, `init/de`, and waits until it can be written. */
export async function openText(page: Page, baseUrl: string, text: string, who = ada): Promise<void> {
  await openConsole(page, `${baseUrl}${TEXTS}/${text}`, who);
  await isReady(page);
}

/** The scripts of the page run: the letter has come. */
export async function isReady(page: Page): Promise<void> {
  await expect(page.locator(".mail-screen iframe, .phone-text").first()).toBeVisible();
}

export const field = (page: Page, name: string) => page.locator(`#text-${name}`);

/** What the API knows of a text, with the page's own session. */
export function savedText(page: Page, path: string): Promise<Record<string, unknown>> {
  return page.evaluate(async (address) => {
    const answer = await fetch(`/console/api/management/v1/text/message/${address}`, {
      headers: { "x-service-orgid": "acme" },
    });
    return (await answer.json()).customText;
  }, path);
}

/** Saves with the keyboard and waits for the word. */
export async function save(page: Page): Promise<void> {
  await page.keyboard.press("Control+s");
  await expect(page.locator(".save-state")).toHaveText(/^(The text is saved|Saved with .*)$/);
}
