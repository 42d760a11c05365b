/** Where the project lies: prisma/ and public/ are found from here, whatever the working directory is. */
import path from "node:path";

// One level up from server/ (sources) and from dist/ (bundle) alike.
export const root = path.join(import.meta.dirname, "..");
