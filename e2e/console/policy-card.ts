/** One policy on its page. Each of its fields may be inherited by itself, too, which is said long before it is saved. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

export const passwordCard = (page: Page): Locator => page.getByRole("region", { name: "Passwords", exact: true });

/** Whether the organization has a policy of its own, as it is saved. */
export const isSetHere = (card: Locator): Promise<void> => expect(card.locator(".head .state")).toHaveText("Set here");

/** As above, of the service's. Whoever has set one returns to that before the end of a test: others begin with it. */
export const isInherited = (card: Locator): Promise<void> =>
  expect(card.locator(".head .state")).toHaveText("Inherited from the service");
