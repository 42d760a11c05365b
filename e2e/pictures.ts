/** Pictures of pages, to be looked at; no test compares them. */
import type { Page } from "@playwright/test";

/**
 * Keeps a picture of the whole page where SCREENSHOTS names a folder: taking hundreds costs a minute of processor time.
 * @param name of the file without its ending, below that folder
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
