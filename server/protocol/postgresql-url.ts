/**
 * URLs of PostgreSQL in the format of libpq, with several hosts: `postgresql://user:password@one:5432,two/database`. pg
 * supports one host and silently ignores unknown parameters, so both are parsed here.
 */
import { parseUrl } from "./url";

/** Which sessions are used, as in libpq's `target_session_attrs`. */
export type TargetSession = "any" | "read-write" | "primary";

export interface PostgresqlUrl {
  /** A URL for each host, in the order given, with the parameters that pg supports. */
  hosts: [string, ...string[]];
  targetSession: TargetSession;
  /** The time limit for connecting to a host, in seconds. */
  connectTimeout: number;
  /** The maximum number of connections of a process, if specified. */
  connectionLimit?: number;
}

/** The maximum time limit for a connection, in seconds. */
const MOST_SECONDS = 5;
const SECONDS_FOR_EACH = 2;
const MOST_CONNECTIONS = 1000;

const anything = () => undefined;
const oneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value) ? undefined : `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
const wholeNumber = (least: number, most: number) => (value: string) =>
  /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most
    ? undefined
    : `must be a whole number from ${least} to ${most}`;

/** A function for each known parameter that returns what is wrong with a value. */
const PARAMETERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  application_name: anything,
  connect_timeout: wholeNumber(1, MOST_SECONDS),
  connection_limit: wholeNumber(2, MOST_CONNECTIONS),
  host: (value) => (value.includes(",") ? "names one host; name several before the database" : undefined),
  options: anything,
  password: anything,
  port: wholeNumber(1, 65_535),
  sslcert: anything,
  sslkey: anything,
  sslmode: oneOf("disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"),
  sslnegotiation: oneOf("postgres", "direct"),
  sslrootcert: anything,
  target_session_attrs: oneOf("any", "read-write", "primary"),
  user: anything,
  uselibpqcompat: oneOf("true", "false"),
};
/** Parameters that pg does not support. */
const OWN = ["connect_timeout", "connection_limit", "target_session_attrs"];

/**
 * Parses a URL.
 * @returns what is wrong, as the end of a sentence, if it is not such a URL
 */
export function parsePostgresqlUrl(text: string): PostgresqlUrl | string {
  const [, scheme = "", authority = "", rest = ""] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf("@") + 1;
  const names = authority.slice(at).split(",");
  const urls = names.map((name) => parseUrl(`${scheme}${authority.slice(0, at)}${name}${rest}`));
  const [first] = urls;
  if (!first || urls.includes(undefined) || (names.length > 1 && names.includes(""))) {
    return "is not a valid postgresql:// address";
  }
  const parameters = first.searchParams;
  const wrong = wrongParameter(parameters);
  if (wrong) return wrong;
  if (names.length > 1 && (parameters.has("host") || parameters.has("port"))) {
    return "names hosts twice: before the database, and by the parameters host or port";
  }
  const number = (name: string) => (parameters.has(name) ? Number(parameters.get(name)) : undefined);
  return {
    hosts: urls.map(readByPg) as [string, ...string[]],
    targetSession: (parameters.get("target_session_attrs") ?? "any") as TargetSession,
    connectTimeout: number("connect_timeout") ?? (names.length > 1 ? SECONDS_FOR_EACH : MOST_SECONDS),
    connectionLimit: number("connection_limit"),
  };
}

function wrongParameter(parameters: URLSearchParams): string | undefined {
  const seen = new Set<string>();
  for (const [name, value] of parameters) {
    const known = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (!known) return `has an unknown parameter: ${name}; there are ${Object.keys(PARAMETERS).join(", ")}`;
    if (seen.has(name)) return `has the parameter ${name} twice`;
    seen.add(name);
    const wrong = known(value);
    if (wrong) return `has a wrong parameter: ${name} ${wrong}`;
  }
  return undefined;
}

function readByPg(url: URL | undefined): string {
  const { href, searchParams } = new URL(url ?? "");
  if (!OWN.some((name) => searchParams.has(name))) return href;
  const own = new URL(href);
  for (const name of OWN) own.searchParams.delete(name);
  return own.href;
}
