// The versions of Node.js that the service supports. Old versions must be able to parse this file, so it has plain
// syntax and no imports. The bundle contains it.

/** better-sqlite3 needs Node-API 10, which Node.js 22.14 has. */
export const NEEDED = "Node.js 22.14 or newer (22, 24 or 26)";

/** Whether the service runs on a version of Node.js, for instance "24.22.3". */
export function isSupported(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 14);
}

/** Ends the process with one line if its Node.js is not supported. */
export function refuseOldNode(hint = "") {
  if (isSupported(process.versions.node)) return;
  process.stderr.write(`${NEEDED} is needed; this is ${process.version}.${hint}\n`);
  process.exit(1);
}
