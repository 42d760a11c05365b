/** Accessibility checks of pages by axe-core. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules about colours. The other rules do not depend on the colour scheme. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"] as const;

/** Rules whose result depends on the width of the screen. */
export const LAYOUT_RULES = [...COLOUR_RULES, "scrollable-region-focusable", "target-size"] as const;

/** The views of a page, opened once; the second one with the rules that depend on width or colours. */
export const VIEWS = [
  { width: 1280, colorScheme: "light", rules: undefined },
  { width: 320, colorScheme: "dark", rules: LAYOUT_RULES },
] as const;

/**
 * Returns one line for each broken rule. It runs through the debugger, because the page's policy blocks scripts.
 * @param rules those to check; all of them if omitted
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.waitForLoadState(); // a test that waited for the language of a page has only seen its beginning
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // Frames do not contain axe: it would wait for an answer of each. No rule that is run needs the style sheets.
    const preload = { assets: ["media"] };
    const options = { resultTypes: ["violations"], iframes: false, preload, ...(runOnly && { runOnly }) };
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, rules);
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}
