/** A policy on its page. Each field may be inherited, which the page shows before it is saved. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

export const passwordCard = (page: Page): Locator => page.getByRole("region", { name: "Passwords", exact: true });

/** Expects that the organization has its own policy, as saved. */
export const isSetHere = (card: Locator): Promise<void> => expect(card.locator(".head .state")).toHaveText("Set here");

/**
 * Expects that the policy of the service applies. A test that sets one resets it at its end, because other tests start
 * with it.
 */
export const isInherited = (card: Locator): Promise<void> =>
  expect(card.locator(".head .state")).toHaveText("Inherited from the service");
