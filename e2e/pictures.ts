/** Pictures of pages for people; no test compares them. */
import type { Page } from "@playwright/test";

/**
 * Keeps a picture of the whole page if SCREENSHOTS names a folder: hundreds take a minute of processor time.
 * @param name of the file without its extension, below that folder
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
