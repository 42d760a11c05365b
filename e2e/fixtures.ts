/**
 * The fixtures of all browser tests: the built service as a separate process on a fresh database, and an application
 * to return to. It is a black box: the tests do not use the service's code.
 */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test as base } from "@playwright/test";
import { directory } from "./directory";
import { type Mailbox, startMailbox } from "./mailbox";
import { recordNavigations } from "./navigations";
import { type RelyingParty, startRelyingParty } from "./relying-party";
import { startService } from "./service";

export { expect } from "@playwright/test";

export interface RunningService {
  /** The issuer. */
  baseUrl: string;
  /** Its log so far. */
  output(): string;
}

/** The key of the app that authenticates with private_key_jwt; the service knows its public half. */
export interface ClientKey {
  kid: string;
  privateKey: KeyObject;
}

interface WorkerFixtures {
  clientKey: ClientKey;
  service: RunningService;
  mailbox: Mailbox;
  /** One per worker, because its address is registered before the service starts. */
  application: RelyingParty;
}

export const test = base.extend<{ relyingParty: RelyingParty }, WorkerFixtures>({
  clientKey: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      await use({ kid: "e2e", privateKey });
    },
    { scope: "worker" },
  ],
  application: [
    // biome-ignore lint/correctness/noEmptyPattern: see above.
    async ({}, use) => {
      const application = await startRelyingParty();
      await use(application);
      await application.close();
    },
    { scope: "worker" },
  ],
  mailbox: [
    // biome-ignore lint/correctness/noEmptyPattern: see above.
    async ({}, use) => {
      const mailbox = await startMailbox();
      await use(mailbox);
      await mailbox.close();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ application, clientKey, mailbox }, use) => {
      const { n, e, kty } = clientKey.privateKey.export({ format: "jwk" });
      const key = { kty, n, e, kid: clientKey.kid, alg: "RS256", use: "sig" };
      const service = await startService({
        bootstrap: directory(application, [key]),
        env: { SMTP_URL: mailbox.url, MAIL_FROM: "ACME <no-reply@acme.test>" },
      });
      await use(service);
      const status = await service.stop();
      // SIGTERM drains and exits with 0, which every worker tests.
      if (status !== 0) throw new Error(`The service ended with ${status}:\n${service.output()}`);
    },
    { scope: "worker", timeout: 300_000 },
  ],
  /** The application without the state of earlier tests. */
  relyingParty: async ({ application }, use) => {
    application.forget();
    await use(application);
  },
  baseURL: async ({ service }, use) => use(service.baseUrl),
  page: async ({ page }, use, testInfo) => {
    const said = recordNavigations(page);
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) console.log(`The page of "${testInfo.title}":\n${await said()}`);
  },
});
