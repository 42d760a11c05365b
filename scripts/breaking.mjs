// Finds changes of a migration that break processes of the previous release, which serve beside this one during a
// rollout: the data that they read must remain, and their inserts must be accepted. So a release only adds, and a later
// one removes.

/** Of PostgreSQL, whose migrations say what changes; SQLite's make tables anew, and there one process serves. */
const BREAKING = [
  [/DROP TABLE (\S+?)[\s;]/, "drops the table"],
  [/DROP COLUMN\s+(\S+?)[\s,;]/, "drops the column"],
  [/RENAME (?:COLUMN\s+)?(?:TO\s+)?("[^"]+")/, "renames"],
  [/ALTER COLUMN\s+("[^"]+")\s+SET DATA TYPE/, "changes the type of"],
  [/ALTER COLUMN\s+("[^"]+")\s+SET NOT NULL/, "demands a value in"],
  [/ADD COLUMN\s+("[^"]+")(?=[^,;]*NOT NULL)(?![^,;]*DEFAULT)/, "demands a value in the new column"],
];

/**
 * One line for each statement that the previous release would stumble over.
 * @param {string} sql of a migration for PostgreSQL
 * @returns {string[]}
 */
export function breakingChanges(sql) {
  const code = sql.replace(/^\s*--.*$/gm, "");
  return BREAKING.flatMap(([pattern, does]) =>
    [...code.matchAll(new RegExp(pattern, "gi"))].map(([, what]) => `${does} ${what}`),
  );
}
