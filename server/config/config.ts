/**
 * Reads the environment into one typed value; nothing else reads the environment. A bad value or a misspelt name stops
 * the start with the name, the reason and an example, so that no default is used by accident. Rule CONFIG-1.
 */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { z } from "zod";
import { type CertificateSettings, findNoCertificates, toCertificateSettings } from "./certificate-settings";
import { findContradictoryLifetimes, type Lifetimes, toLifetimes } from "./default-lifetimes";
import { readableReason, readDotEnv, type Variables, withoutEmpty } from "./dotenv";
import {
  type ConfigProblem,
  type Environment,
  type EnvironmentName,
  environment,
  type LOG_LEVELS,
  problem,
} from "./environment";
import { isUnknownInDotEnv, meantSetting } from "./misspelt-names";
import { isOfTelemetry, type Telemetry, toTelemetry } from "./telemetry-variables";
import { isLoopback, whyNoTls } from "./value-parsers";

export interface Config {
  port: number;
  host: string;
  /** The issuer, byte for byte, and the prefix of every link; without a slash at the end. */
  baseUrl: string;
  authUrl: string;
  databaseUrl: string;
  /** The given keys, newest first. If empty, a key is generated next to the embedded database. */
  secretKeys: readonly string[];
  bootstrapFile?: string;
  smtpUrl?: string;
  mailFrom?: string;
  /** Addresses and CIDR networks whose forwarding headers are trusted. */
  trustedProxies: readonly string[];
  /** Addresses and CIDR networks where directories of the instance's providers may be, besides public addresses. */
  ldapNetworks: readonly string[];
  workers: number;
  /** How long `/readyz` returns 503 before connections are refused, milliseconds. */
  shutdownNotice: number;
  tls?: { certFile: string; keyFile: string };
  grpcPort?: number;
  mtls: CertificateSettings;
  /** The file with the token for `/metrics`; it may be replaced while the service runs. */
  metricsTokenFile?: string;
  logLevel: (typeof LOG_LEVELS)[number];
  logFormat: "json" | "text";
  /** Whether the log is JSON. Nothing else is printed then, because a log collector reads every line. */
  isAllJson: boolean;
  /** Whether ZITADEL's clients are served, unless the instance says otherwise (`zitadelCompatibility`). */
  isZitadelCompatible: boolean;
  lifetimes: Lifetimes;
  retention: Retention;
  /** How long attempts to sign in are kept for administrators, milliseconds; 0 turns this off. */
  signInAttemptRetention: number;
  /** The destination of traces and metrics; undefined if they are not sent. */
  telemetry?: Telemetry;
}

/** How long logs are kept after they were written, milliseconds. */
export interface Retention {
  /** Undefined if they are kept permanently. */
  events?: number;
  /** The folder that events are written to before they are removed; undefined if they are not archived. */
  eventArchive?: string;
  mails: number;
}

const EVENT_RETENTION = 400 * 86_400_000;
const MAIL_RETENTION = 30 * 86_400_000;

const settings = Object.keys(environment.shape) as EnvironmentName[];
/** Secret values can be stored in files, whose paths are given in `<NAME>_FILE`. */
const secrets = ["SECRET_KEY", "DATABASE_URL", "SMTP_URL"] as const satisfies readonly EnvironmentName[];
const knownNames: readonly string[] = [...settings, ...secrets.map((name) => `${name}_FILE`)];

export interface LoadOptions {
  /** Whether another program owns the socket (`next start`), and with it TLS and the number of processes. */
  isHosted?: boolean;
}

/**
 * Reads the configuration from the environment and from a file in `.env` format; the environment takes precedence,
 * empty values count as not given. All problems are returned at once.
 */
export function loadConfig(
  env: Variables,
  dotEnvFile = ".env",
  { isHosted = false }: LoadOptions = {},
): Config | ConfigProblem[] {
  const dotEnv = readDotEnv(dotEnvFile);
  if (Array.isArray(dotEnv)) return dotEnv;
  const given: Variables = { ...dotEnv, ...withoutEmpty(env) };
  const problems = [...findMisspelt(given, dotEnv, dotEnvFile), ...readSecretFiles(given)];
  const parsed = environment.safeParse(Object.fromEntries(settings.map((name) => [name, given[name]])));
  if (parsed.error)
    problems.push(...parsed.error.issues.map((issue) => problem(issue.path[0] as EnvironmentName, issue.message)));
  if (!parsed.data) return problems;
  problems.push(...findContradictions(parsed.data), ...(isHosted ? findNotOurs(parsed.data) : []));
  if (problems.length > 0) return problems;
  const config = { ...toConfig(parsed.data), telemetry: toTelemetry(parsed.data, given) };
  return isHosted ? { ...config, workers: 1 } : config;
}

/** One line for the log or the terminal. */
export function describeProblem({ name, reason, example }: ConfigProblem): string {
  return example === undefined ? `${name}: ${reason}` : `${name}: ${reason} (example: ${name}=${example})`;
}

function findMisspelt(given: Variables, dotEnv: Variables, dotEnvFile: string): ConfigProblem[] {
  return Object.keys(given).flatMap((name) => {
    const meant = meantSetting(name, knownNames);
    if (meant) {
      const example = (environment.shape[meant as EnvironmentName] as z.ZodType | undefined)?.meta()?.example;
      return [
        { name, reason: `is not a setting; did you mean ${meant}${example ? `, as in ${meant}=${example}` : ""}?` },
      ];
    }
    if (!(name in dotEnv) || isOfTelemetry(name) || !isUnknownInDotEnv(name, knownNames)) return [];
    return [
      {
        name,
        reason: `stands in ${dotEnvFile} and is not a setting; remove it or see docs/configuration.md for the names`,
      },
    ];
  });
}

/** Replaces `<NAME>_FILE` by the content of the file, without the line break that editors add at the end. */
function readSecretFiles(given: Variables): ConfigProblem[] {
  return secrets.flatMap((name) => {
    const fileName = `${name}_FILE`;
    const path = given[fileName];
    if (path === undefined) return [];
    if (given[name] !== undefined) return [{ name: fileName, reason: `stands beside ${name}; set one of the two` }];
    try {
      given[name] = readFileSync(path, "utf8").trim();
      return given[name] === "" ? [{ name: fileName, reason: "names an empty file" }] : [];
    } catch (error) {
      return [
        {
          name: fileName,
          reason: `cannot be read: ${readableReason(error)}`,
          example: `/run/secrets/${name.toLowerCase()}`,
        },
      ];
    }
  });
}

function findContradictions(env: Environment): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const name of ["BASE_URL", "AUTH_URL"] as const) {
    const url = env[name];
    // RFC 6749 §3.1, §3.2: TLS is required. http is allowed only on this machine or by explicit choice.
    if (url?.startsWith("http:") && !isLoopback(url) && !env.ALLOW_INSECURE_HTTP) {
      problems.push(
        problem(name, "must be https, except for localhost; ALLOW_INSECURE_HTTP=true permits http in a test network"),
      );
    }
  }
  if (isPostgres(env)) {
    if (!env.SECRET_KEY)
      problems.push(problem("SECRET_KEY", "is required with PostgreSQL: every process must have the same key"));
  } else if ((env.WORKERS ?? 1) > 1) {
    problems.push(
      problem("WORKERS", "must be 1 with the embedded database, which serves one process; use PostgreSQL for more"),
    );
  }
  if (env.TLS_CERT_FILE && !env.TLS_KEY_FILE) problems.push(problem("TLS_KEY_FILE", "is required with TLS_CERT_FILE"));
  if (env.TLS_KEY_FILE && !env.TLS_CERT_FILE) problems.push(problem("TLS_CERT_FILE", "is required with TLS_KEY_FILE"));
  for (const name of ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CLIENT_CA_FILE"] as const) {
    const reason = env[name] && unreadable(env[name]);
    if (reason) problems.push(problem(name, `cannot be read: ${reason}`));
  }
  if (env.TLS_CERT_FILE && env.TLS_KEY_FILE && !unreadable(env.TLS_CERT_FILE) && !unreadable(env.TLS_KEY_FILE)) {
    const reason = whyNoTls(env.TLS_CERT_FILE, env.TLS_KEY_FILE);
    if (reason) problems.push(problem("TLS_CERT_FILE", reason));
    if (env.BASE_URL?.startsWith("http:"))
      problems.push(problem("BASE_URL", "must be https where TLS_CERT_FILE is set"));
  }
  problems.push(
    ...findContradictoryLifetimes(env),
    ...findNoBootstrap(env),
    ...findNoArchive(env),
    ...findNoToken(env),
    ...findNoCertificates(env),
  );
  if (env.GRPC_PORT !== undefined && env.GRPC_PORT === (env.PORT ?? 8080)) {
    problems.push(problem("GRPC_PORT", "must differ from PORT"));
  }
  return problems;
}

/** Finds settings of the socket that another program owns. */
function findNotOurs(env: Environment): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (env.TLS_CERT_FILE) {
    const reason = "is not used under next start; let a proxy in front of it do TLS, or run npm start";
    problems.push({ name: "TLS_CERT_FILE", reason });
  }
  if ((env.WORKERS ?? 1) > 1) {
    const reason = "must be 1 under next start, which is one process; start it several times, or run npm start";
    problems.push(problem("WORKERS", reason));
  }
  return problems;
}

/** Finds an unreadable bootstrap file. Its content is checked when it is applied. */
function findNoBootstrap({ BOOTSTRAP_FILE: path }: Environment): ConfigProblem[] {
  const reason = path && unreadable(path);
  return reason ? [problem("BOOTSTRAP_FILE", `cannot be read: ${reason}`)] : [];
}

/**
 * Finds an unusable archive folder. Without it events could not be removed, which would only show when the first are
 * old enough.
 */
function findNoArchive({ EVENT_ARCHIVE_DIRECTORY: path, EVENT_RETENTION }: Environment): ConfigProblem[] {
  if (path === undefined) return [];
  if (EVENT_RETENTION === null) {
    return [problem("EVENT_ARCHIVE_DIRECTORY", "has no effect while EVENT_RETENTION is forever; set one of the two")];
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory() ? [] : [problem("EVENT_ARCHIVE_DIRECTORY", "must be a folder; it is a file")];
  } catch (error) {
    const reason = `must be a folder that can be written to: ${readableReason(error)}`;
    return [problem("EVENT_ARCHIVE_DIRECTORY", reason.replace("no permission to read it", "no permission"))];
  }
}

/** Minimum length of the metrics token. It must not be guessable, because it shows how busy the service is. */
const SHORTEST_TOKEN = 20;

function findNoToken({ METRICS_TOKEN_FILE: path }: Environment): ConfigProblem[] {
  if (path === undefined) return [];
  const reason = unreadable(path);
  if (reason) return [problem("METRICS_TOKEN_FILE", `cannot be read: ${reason}`)];
  const token = readFileSync(path, "utf8").trim();
  if (token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token)) return [];
  const rule = `must contain one word of ${SHORTEST_TOKEN} ASCII characters or more, as from openssl rand -hex 32`;
  return [problem("METRICS_TOKEN_FILE", rule)];
}

function unreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isDirectory()) return "it is a folder";
    return undefined;
  } catch (error) {
    return readableReason(error);
  }
}

const isPostgres = (env: Environment) => env.DATABASE_URL?.startsWith("postgres") ?? false;

function toConfig(env: Environment): Config {
  const port = env.PORT ?? 8080;
  const tls =
    env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE } : undefined;
  // Choice: the default address has https if the service itself does TLS.
  const baseUrl = env.BASE_URL ?? `${tls ? "https" : "http"}://localhost:${port}`;
  return {
    port,
    host: env.HOST ?? "127.0.0.1",
    baseUrl,
    authUrl: env.AUTH_URL ?? baseUrl,
    databaseUrl: env.DATABASE_URL ?? "file:./data/service.db",
    secretKeys: env.SECRET_KEY ?? [],
    bootstrapFile: env.BOOTSTRAP_FILE,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    ldapNetworks: env.LDAP_NETWORKS ?? [],
    workers: env.WORKERS ?? (isPostgres(env) ? availableParallelism() : 1),
    shutdownNotice: env.SHUTDOWN_NOTICE ?? 5_000,
    tls,
    grpcPort: env.GRPC_PORT,
    mtls: toCertificateSettings(env, baseUrl),
    metricsTokenFile: env.METRICS_TOKEN_FILE,
    logLevel: env.LOG_LEVEL ?? "info",
    logFormat: env.LOG_FORMAT ?? (process.stdout.isTTY ? "text" : "json"),
    isAllJson: env.LOG_FORMAT === "json",
    isZitadelCompatible: env.COMPATIBILITY === "zitadel",
    lifetimes: toLifetimes(env),
    retention: {
      events: env.EVENT_RETENTION === undefined ? EVENT_RETENTION : (env.EVENT_RETENTION ?? undefined),
      eventArchive: env.EVENT_ARCHIVE_DIRECTORY,
      mails: env.MAIL_RETENTION ?? MAIL_RETENTION,
    },
    signInAttemptRetention: env.SIGN_IN_ATTEMPT_RETENTION ?? 30 * 24 * 3_600_000,
  };
}
