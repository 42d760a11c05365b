/** Where the project lies: prisma/ and public/ are found from here, whatever the working directory is. */
import path from "node:path";

// One level up from server/ (sources) and from dist/ (bundle) alike.
export const root = path.join(import.meta.dirname, "..");

/** `sqlite/migrations` and `postgresql/migrations` are in here. */
export const migrationsFolder = path.join(root, "prisma");
