/**
 * The table of permitted imports. A module may import lower tiers only; modules of one tier do not import each other.
 * This keeps rules pure, access to the database in one place, and storage out of browser bundles.
 */
import { posix } from "node:path";
import { cycles, cyclesOf, importsOf, reachable, type Sources, withoutComments } from "./imports";

/** From the bottom up. */
export const TIERS: readonly (readonly string[])[] = [
  ["concurrency", "tracing", "runtime"],
  ["protocol", "crypto", "root"],
  ["config", "metrics", "net"],
  ["storage"],
  ["refresh-answers"],
  ["context"],
  ["events", "throttle"],
  ["message-types"],
  ["directory", "keys"],
  ["sessions"],
  ["oidc"],
  ["access", "login", "readiness"],
  ["texts"],
  ["mail", "bootstrap"],
  ["http"],
  ["web"],
  ["api"],
  ["console"],
  ["service"],
  ["process"],
  ["app", "main", "admin"],
];
const tierOf = (module: string): number => TIERS.findIndex((tier) => tier.includes(module));

/** Modules that call use cases for their data. */
const WITHOUT_STORAGE: readonly string[] = ["http", "web", "api", "console"];

/** The files that Next requires beside app/. */
const OF_APP = /^(?:instrumentation|proxy)\.ts$/;
/** The files that run in the service; all others are tools and tests. */
const SERVED = /^(?:(?:server|app|components|messages|shared)\/|(?:instrumentation|proxy)\.ts$)/;
const MAX_LINES = 300;
const DRIVERS = /^(better-sqlite3|pg|prisma)(\/|$)|^@prisma\/|\/generated\/(sqlite|postgresql)\//;
const FREE_OF_STORAGE = /^(?!server\/).|^server\/(protocol|service\/service\.ts$)/;
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bprocess\.|\bperformance\.|\bMath\.random\b|\bcrypto\.random|\bset(?:Timeout|Interval)\b|\bconsole\.(?:log|info|warn|error|debug)\b/;

/** The modules that translate requests and decide nothing. */
const EDGE = /^server\/(http|web|api|console)\//;
const TRANSACTION = /\bchangeDirectory\b|\.transaction\(/;
/** Statements, and conditions that are added to one: `where.all.push(…)`, `k."id" = …`. */
const SQL = /\b(?:SELECT|INSERT INTO|DELETE FROM)\s|\bUPDATE\s+"|\.all\.push\(|\b[a-z]\."\w+"\s*(?:[=<>]|IN\b|IS\b)/;
/** The maximum number of lines of a handler of the management APIs, in the layout of the formatter. */
const MAX_HANDLER_LINES = 12;
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith("server/testing/");

/** Returns the module of a file: a folder or a file of server/, or one of the other top-level folders. */
export function moduleOf(path: string): string {
  if (OF_APP.test(path)) return "app";
  const [top = "", second = ""] = path.split("/");
  if (top !== "server") return top;
  return second.replace(/\.[a-z]+$/, "");
}

/** Returns every violation as one line with the file, its import and the rule. */
export function violations(sources: Sources): string[] {
  const lasting = new Map([...sources].filter(([path]) => !isTest(path)));
  return [
    ...[...sources].flatMap(([path, text]) => tooLong(path, text)),
    ...[...sources.keys()].flatMap((path) => blackBox(path, sources)),
    ...[...lasting].flatMap(([path, text]) => [
      ...placeless(path),
      ...wrongWay(path, sources),
      ...packages(path, sources),
      ...impure(path, text),
      ...cheap(path, text),
      ...deciding(path, text),
      ...longHandlers(path, text),
      ...inBrowser(path, text, sources),
    ]),
    ...folderCycles(lasting),
    ...cycles(lasting).map((files) => `${files[0]}: imports itself by way of ${files.slice(1).join(" → ")}`),
  ];
}

/**
 * Returns the cycles of the folders of one module: a folder only needs to know those below it. The files of a folder
 * count as one folder beside its subfolders.
 */
function folderCycles(sources: Sources): string[] {
  const modules = new Set([...sources.keys()].filter((path) => path.split("/").length > 2).map(moduleOf));
  return [...modules].flatMap((module) => {
    const own = new Map(
      [...sources].filter(([path]) => /^(?:server|components)\//.test(path) && moduleOf(path) === module),
    );
    const folders = [...new Set([...own.keys()].map(posix.dirname))];
    if (folders.length < 2) return [];
    const circles = cyclesOf(folders, (folder) => foldersUsedBy(folder, own));
    return circles.map((circle) => `${circle[0]}: needs itself by way of ${circle.slice(1).join(" → ")}`);
  });
}

function foldersUsedBy(folder: string, own: Sources): string[] {
  const files = [...own.keys()].filter((path) => posix.dirname(path) === folder);
  const used = files.flatMap((path) => importsOf(path, own).flatMap(({ file }) => (file && own.has(file) ? file : [])));
  return [...new Set(used.map((file) => posix.dirname(file)))].filter((other) => other !== folder);
}

function tooLong(path: string, text: string): string[] {
  const lines = text.split("\n").length - 1;
  return lines > MAX_LINES ? [`${path}: has ${lines} lines, more than ${MAX_LINES}; find the missing concept`] : [];
}

function placeless(path: string): string[] {
  const known = !path.startsWith("server/") || tierOf(moduleOf(path)) >= 0;
  return known ? [] : [`${path}: has no place in the import table`];
}

/** Rejects imports of the service by end-to-end tests, benchmark and drills, which only see it from outside. */
function blackBox(path: string, sources: Sources): string[] {
  if (!/^(e2e|bench|drills)\//.test(path)) return [];
  return importsOf(path, sources)
    .filter(({ file }) => file !== undefined && /^(server|app|components|shared)\//.test(file))
    .map(({ file }) => `${path}: imports ${file}, but ${moduleOf(path)} is a black box test`);
}

function wrongWay(path: string, sources: Sources): string[] {
  if (!SERVED.test(path)) return [];
  const from = moduleOf(path);
  return importsOf(path, sources).flatMap(({ file, typeOnly }) => {
    if (!file) return [];
    const to = moduleOf(file);
    return from === to || mayImport(from, to, file, typeOnly)
      ? []
      : [`${path}: imports ${file}, but ${from} may not import ${to}`];
  });
}

function mayImport(from: string, to: string, file: string, typeOnly: boolean): boolean {
  if (file.startsWith("server/testing/")) return false;
  if (to === "messages") return from !== "protocol" && from !== "crypto";
  if (to === "components") return ["app", "web", "api", "service", "mail", "main"].includes(from);
  if (to === "docs") return from === "api"; // descriptions of its fields
  if (to === "shared") return ["admin", "app", "components", "console", "http"].includes(from);
  if (from === "messages") return false;
  if (from === "components" || from === "shared") return typeOnly;
  if (from === "app") return file === "server/service/service.ts";
  if (to === "storage" && WITHOUT_STORAGE.includes(from)) return false;
  return tierOf(from) > tierOf(to) && tierOf(to) >= 0;
}

function packages(path: string, sources: Sources): string[] {
  return importsOf(path, sources).flatMap(({ specifier }) => {
    if (DRIVERS.test(specifier) && !["storage", "runtime"].includes(moduleOf(path)) && SERVED.test(path)) {
      return [`${path}: imports ${specifier}, but only server/storage knows the database`];
    }
    const mayNext = moduleOf(path) === "app" || path === "messages/request.ts" || path === "server/main.ts";
    if (/^next(\/|$)/.test(specifier) && !mayNext && SERVED.test(path)) {
      return [`${path}: imports ${specifier}, but only app, messages/request.ts and server/main.ts know Next`];
    }
    return [];
  });
}

/**
 * Rejects clocks and random values in the rules, which receive them as parameters, so that tables of values test them
 * completely.
 */
function impure(path: string, text: string): string[] {
  if (moduleOf(path) !== "protocol") return [];
  const used = withoutComments(text).match(IMPURE);
  return used ? [`${path}: uses ${used[0]}, but protocol reads no clock, no environment and does no I/O`] : [];
}

/** Rejects password hashes at another cost than the service's own, except in tests. */
function cheap(path: string, text: string): string[] {
  const defines = path === "server/crypto/password-hash.ts";
  return !defines && /\bhashAtCost\b/.test(withoutComments(text))
    ? [`${path}: uses hashAtCost, but only tests may hash passwords at another cost`]
    : [];
}

/**
 * Rejects decisions at the edge: the directory owns its rules, and an edge declares permissions and calls a use case.
 */
function deciding(path: string, text: string): string[] {
  if (!EDGE.test(path)) return [];
  const code = withoutComments(text);
  const module = moduleOf(path);
  const facts = [
    { does: "opens a transaction", found: TRANSACTION.test(code) },
    { does: "writes SQL", found: SQL.test(code) },
  ];
  return facts.flatMap(({ does, found }) => (found ? [`${path}: ${does}, but ${module} only calls use cases`] : []));
}

/** Rejects long handlers: a handler that takes more lines contains a rule that needs a name. */
function longHandlers(path: string, text: string): string[] {
  if (!path.startsWith("server/api/")) return [];
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const opening = /^( *)(?:async handle\(.*\) \{|handle: .* => \{)$/.exec(line);
    if (!opening) return [];
    const length = lines.slice(at + 1).findIndex((later) => later.startsWith(`${opening[1]}}`));
    return length > MAX_HANDLER_LINES
      ? [
          `${path}: line ${at + 1} has a handler of ${length} lines, more than ${MAX_HANDLER_LINES}; give its rule a name`,
        ]
      : [];
  });
}

/** Rejects server modules in "use client" files, which are sent to browsers with everything they import. */
function inBrowser(path: string, text: string, sources: Sources): string[] {
  if (!/^\s*["']use client["']/.test(withoutComments(text))) return [];
  return [...reachable(path, sources)]
    .filter(
      ([name]) =>
        /^node:/.test(name) ||
        DRIVERS.test(name) ||
        !FREE_OF_STORAGE.test(name) ||
        name === "server/service/service.ts",
    )
    .map(
      ([name, by]) =>
        `${path}: "use client" file reaches ${name} (by way of ${by}), which must not enter a browser bundle`,
    );
}
