/** JSON columns as the drivers return them: parsed from PostgreSQL (jsonb), as text from SQLite. */

/** The value of a JSON column read by a prepared statement; null stays null. Our columns hold objects, never strings. */
export function readJson<T>(column: unknown): T {
  return (typeof column === "string" ? JSON.parse(column) : column) as T;
}
