/** A policy on its page. Each field may be inherited, which the page shows before it is saved. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

export const passwordCard = (page: Page): Locator => page.getByRole("region", { name: "Passwords", exact: true });

/** The switch that says whether the organization overrides the policy. */
export const overrideOf = (card: Locator): Locator => card.getByRole("switch", { name: /^Override/ });

/** Expects that the organization has its own policy, as saved. */
export const isSetHere = (card: Locator): Promise<void> => expect(overrideOf(card)).toBeChecked();

/**
 * Expects that the policy of the service applies. A test that sets one resets it at its end, because other tests start
 * with it.
 */
export async function isInherited(card: Locator): Promise<void> {
  await expect(overrideOf(card)).not.toBeChecked();
  await expect(overrideOf(card)).toHaveAccessibleDescription("Inherited from the service");
  await expect(card.getByRole("region", { name: "What will change" })).toHaveCount(0);
}
