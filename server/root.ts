/** The project's folder, from which prisma/ and public/ are found, whatever the working directory is. */
import path from "node:path";

// One level above both server/ (sources) and dist/ (bundle).
export const root = path.join(import.meta.dirname, "..");

/** Contains `sqlite/migrations` and `postgresql/migrations`. */
export const migrationsFolder = path.join(root, "prisma");
