/** What axe-core finds on a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules about colours: what else is there does not depend on the scheme. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"] as const;

/** Rules that may be broken on a screen of one width and kept on another. */
export const LAYOUT_RULES = [...COLOUR_RULES, "scrollable-region-focusable", "target-size"] as const;

/** The ways to look at one page, opened once, each with the rules that those before it do not settle. */
export const VIEWS = [
  { width: 1280, colorScheme: "light", rules: undefined },
  { width: 1280, colorScheme: "dark", rules: COLOUR_RULES },
  { width: 320, colorScheme: "dark", rules: LAYOUT_RULES },
] as const;

/**
 * One line for each rule that is broken; through the debugger, since the page's policy lets no script in.
 * @param rules those to check; all of them if not given
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.waitForLoadState(); // whoever waited for the language of a page has seen no more than how it begins
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // Frames hold no axe: it would wait for an answer of each. No rule that is run asks for the style sheets.
    const preload = { assets: ["media"] };
    const options = { resultTypes: ["violations"], iframes: false, preload, ...(runOnly && { runOnly }) };
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, rules);
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}
