/**
 * Returns the packages that the service loads, directly or indirectly, as paths of the lockfile. Optional peers that
 * are only locked for tests are not among them.
 * @param isWanted whether a path counts
 */
export function neededPackages({ packages }, isWanted = () => true) {
  /** Returns the path where Node.js finds `name` from a package. */
  const find = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
      const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
      if (packages[path] && isWanted(path)) return path;
      if (at === "") return undefined;
    }
  };
  const found = new Set();
  const open = [[Object.keys(packages[""].dependencies), ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [names, from] = next;
    for (const path of names.map((name) => find(name, from))) {
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path];
      const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
      open.push([[...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers], path]);
    }
  }
  return [...found].sort();
}
