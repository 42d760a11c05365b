/** What is shown while the database is unavailable: a page that says so is better than none. */
import { isUnavailable } from "../storage/engine/unavailable";

/** What `ask` finds; `otherwise` while the database is unavailable. Other errors are thrown on. */
export async function unlessUnavailable<Found>(ask: () => Promise<Found>, otherwise: Found): Promise<Found> {
  try {
    return await ask();
  } catch (error) {
    if (isUnavailable(error)) return otherwise;
    throw error;
  }
}
