/** JSON columns as the drivers return them: parsed from PostgreSQL (jsonb), as text from SQLite. */

/**
 * Returns the value of a JSON column that a prepared statement read; null is returned as null. These columns contain
 * objects, never strings.
 */
export function readJson<T>(column: unknown): T {
  return (typeof column === "string" ? JSON.parse(column) : column) as T;
}
