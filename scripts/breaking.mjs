// Finds changes of a migration that break processes of the previous release, which run beside this one during a
// rollout: the data that they read must remain, and their inserts must be accepted. So a release only adds, and a later
// one removes.

/**
 * Statements of PostgreSQL that break processes of the previous release. Migrations of SQLite recreate tables, and a
 * single process uses them.
 */
const BREAKING = [
  [/DROP TABLE (\S+?)[\s;]/, "drops the table"],
  [/DROP COLUMN\s+(\S+?)[\s,;]/, "drops the column"],
  [/RENAME (?:COLUMN\s+)?(?:TO\s+)?("[^"]+")/, "renames"],
  [/ALTER COLUMN\s+("[^"]+")\s+SET DATA TYPE/, "changes the type of"],
  [/ALTER COLUMN\s+("[^"]+")\s+SET NOT NULL/, "demands a value in"],
  [/ADD COLUMN\s+("[^"]+")(?=[^,;]*NOT NULL)(?![^,;]*DEFAULT)/, "demands a value in the new column"],
];

/**
 * Returns one line for each statement that breaks the previous release.
 * @param {string} sql of a migration for PostgreSQL
 * @returns {string[]}
 */
export function breakingChanges(sql) {
  const code = sql.replace(/^\s*--.*$/gm, "");
  return BREAKING.flatMap(([pattern, does]) =>
    [...code.matchAll(new RegExp(pattern, "gi"))].map(([, what]) => `${does} ${what}`),
  );
}
