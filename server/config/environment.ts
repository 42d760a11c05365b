/** The environment variables: parser, default, example and description of each. docs/configuration.md shows them. */

import { z } from "zod";
import { englishOf } from "../protocol/reason";
import { MAX_OTP_LIFETIME } from "./default-lifetimes";
import { telemetryVariables } from "./telemetry-variables";
import {
  count,
  databaseUrl,
  duration,
  headerName,
  hostName,
  mailbox,
  networks,
  portNumber,
  publicUrl,
  retention,
  secretKeys,
  setting,
  smtpUrl,
  yesOrNo,
} from "./value-parsers";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export interface ConfigProblem {
  /** The name of the variable. */
  name: string;
  reason: string;
  example?: string;
}

const file = z.string();

/** RFC 6749 §4.1.2: "A maximum authorization code lifetime of 10 minutes is RECOMMENDED." */
const MAX_CODE_LIFETIME = 600_000;

/** Longer than the usual interval of health checks; process managers kill after half a minute by default. */
const MAX_NOTICE = 60_000;

/** The charts of the console cover the last 30 days. */
const LEAST_RETENTION = 31 * 86_400_000;

/** A message is tried for a day, and an administrator has to see why it failed. */
const LEAST_MAIL_RETENTION = 2 * 86_400_000;

const addresses = {
  PORT: setting(portNumber, { default: "8080", example: "8080", description: "The port to listen on." }),
  HOST: setting(hostName, {
    default: "127.0.0.1",
    example: "127.0.0.1",
    description: "The address to listen on; `0.0.0.0` for all addresses of the machine.",
  }),
  BASE_URL: setting(publicUrl, {
    default: "http://localhost:$PORT",
    example: "https://id.example.com",
    description:
      "The issuer, byte for byte, and the base of every link. `https` by default with `TLS_CERT_FILE`. `http` is accepted for loopback names only, unless `ALLOW_INSECURE_HTTP=true`. With a path, the service answers below it; forms and console post to the root of the host, which must lead to the service as well.",
  }),
  AUTH_URL: setting(publicUrl, {
    default: "`BASE_URL`",
    example: "https://id.example.com",
    description: "The base of the authorization and token endpoints in the OpenAPI document.",
  }),
  ALLOW_INSECURE_HTTP: setting(yesOrNo, {
    default: "false",
    example: "true",
    description: "Accepts an `http` address as `BASE_URL`, for test networks.",
  }),
  TRUSTED_PROXIES: setting(networks, {
    example: "10.0.0.0/8,192.168.1.7",
    description:
      "Addresses and networks of your proxies. Their `X-Forwarded-For` gives the client address, and their `traceparent` is continued.",
  }),
  LDAP_NETWORKS: setting(networks, {
    example: "10.0.0.0/8",
    description: "Networks, besides public ones, where LDAP directories of the instance's identity providers may be.",
  }),
  TLS_CERT_FILE: setting(file, {
    example: "./tls/fullchain.pem",
    description: "A certificate in PEM. The service then serves https itself, with HTTP/2. Requires `TLS_KEY_FILE`.",
  }),
  TLS_KEY_FILE: setting(file, {
    example: "./tls/privkey.pem",
    description: "The private key of the certificate in PEM, without a passphrase.",
  }),
  MTLS_PORT: setting(portNumber, {
    example: "8443",
    description:
      "A second port with the same answers, which asks for client certificates (RFC 8705); `PORT` does not, because browsers would ask their users. Requires `TLS_CERT_FILE`.",
  }),
  MTLS_URL: setting(publicUrl, {
    default: "`BASE_URL` with `MTLS_PORT`, if that is set",
    example: "https://mtls.id.example.com",
    description: "The base of the endpoints for clients with certificates (`mtls_endpoint_aliases`).",
  }),
  TLS_CLIENT_CA_FILE: setting(file, {
    example: "./tls/client-ca.pem",
    description:
      "The authorities, in PEM, whose client certificates `tls_client_auth` accepts on `MTLS_PORT`. Without it none is accepted; self-signed certificates need none.",
  }),
  CLIENT_CERT_HEADER: setting(headerName, {
    default: "client-cert",
    example: "x-ssl-client-cert",
    description:
      "The header in which `TRUSTED_PROXIES` pass on client certificates: as in RFC 9440, or URL-encoded PEM. The proxy must verify the certificate, and remove the header from other requests.",
  }),
  METRICS_TOKEN_FILE: setting(file, {
    example: "/run/secrets/metrics_token",
    description:
      "A file with a token for `/metrics`, which works while the database is away. It is read for every scrape.",
  }),
  COMPATIBILITY: setting(z.enum(["zitadel"], { error: "must be zitadel" }), {
    example: "zitadel",
    description:
      "`zitadel` serves the clients of ZITADEL: [its procedures, scopes and claims](zitadel.md) under the names that they know. The feature `zitadelCompatibility` of the instance overrides it.",
  }),
  GRPC_PORT: setting(portNumber, {
    example: "8081",
    description:
      "A second port with the same answers, for networks that let HTTP/2 through only there. `PORT` accepts gRPC, too.",
  }),
};

const data = {
  DATABASE_URL: setting(databaseUrl, {
    default: "file:./data/service.db",
    example: "file:./data/service.db",
    description:
      "`file:…` for embedded SQLite with one process, `postgresql://…` for PostgreSQL. [Several hosts and parameters](operations.md#postgresql-with-a-synchronous-standby).",
  }),
  SECRET_KEY: setting(secretKeys, {
    default: "generated beside the embedded database",
    example: "<32 random characters or more, for instance from openssl rand -base64 32>",
    description:
      "Encrypts private keys, second factors and sign-in requests. Required with PostgreSQL. Several keys, separated by commas, newest first, [replace a key](guide/operate.md#keys).",
  }),
  BOOTSTRAP_FILE: setting(file, {
    example: "./bootstrap.json",
    description: "A file that is applied at every start, as a whole or not at all.",
  }),
};

const messages = {
  SMTP_URL: setting(smtpUrl, {
    example: "smtp://user:password@mail.example.com:587",
    description:
      "The mail server: `smtp://` (switches to TLS before the password is sent) or `smtps://`. Without it mails are not sent, but can be read in the console.",
  }),
  MAIL_FROM: setting(mailbox, {
    default: "`no-reply@` and the host of `BASE_URL`",
    example: "Example <no-reply@example.com>",
    description: "The sender of mails.",
  }),
};

const processes = {
  WORKERS: setting(count, {
    default: "1 on SQLite, one for each core on PostgreSQL",
    example: "1",
    description: "The number of processes that share the port.",
  }),
  SHUTDOWN_NOTICE: setting(duration({ least: 0, most: MAX_NOTICE }), {
    default: "5s",
    example: "5s",
    description:
      "How long `/readyz` answers 503 before a stop, while requests are still served. Must be longer than the interval of your load balancer's checks; `60s` at most.",
  }),
  LOG_LEVEL: setting(z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }), {
    default: "info",
    example: "info",
    description: `The least severe level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(", ")}.`,
  }),
  LOG_FORMAT: setting(z.enum(["json", "text"], { error: "must be json or text" }), {
    default: "`text` on a terminal, else `json`",
    example: "json",
    description:
      "With `json` every line is JSON, including those with the address and the setup link. A reason not to start is one plain line.",
  }),
};

const retentions = {
  EVENT_RETENTION: setting(retention({ least: LEAST_RETENTION }), {
    default: "400d",
    example: "400d",
    description:
      "How long events of the audit trail are kept: at least `31d`, or `forever`. The same for every process.",
  }),
  EVENT_ARCHIVE_DIRECTORY: setting(file, {
    example: "./data/events",
    description:
      "A folder to which old events are written before they are removed: `events-2026-11.jsonl`, one JSON object a line.",
  }),
  MAIL_RETENTION: setting(duration({ least: LEAST_MAIL_RETENTION }), {
    default: "30d",
    example: "30d",
    description: "How long messages are kept, as they were sent; at least `2d`.",
  }),
  SIGN_IN_ATTEMPT_RETENTION: setting(duration({ least: 0 }), {
    default: "30d",
    example: "30d",
    description:
      "How long attempts to sign in are kept for administrators: person, app, address, browser and reason of failure. `0s` keeps none.",
  }),
};

const lifetimes = {
  CODE_LIFETIME: setting(duration({ most: MAX_CODE_LIFETIME }), {
    default: "60s",
    example: "60s",
    description: "Authorization codes; `10m` at most.",
  }),
  ACCESS_TOKEN_LIFETIME: setting(duration(), { default: "1h", example: "1h", description: "Access tokens." }),
  ID_TOKEN_LIFETIME: setting(duration(), { default: "1h", example: "1h", description: "ID tokens." }),
  REFRESH_TOKEN_IDLE_LIFETIME: setting(duration(), {
    default: "30d",
    example: "30d",
    description: "How long a refresh token is valid without being used.",
  }),
  REFRESH_TOKEN_LIFETIME: setting(duration(), {
    default: "90d",
    example: "90d",
    description: "The longest life of a chain of refresh tokens.",
  }),
  REFRESH_GRACE: setting(duration({ least: 0 }), {
    default: "10s",
    example: "10s",
    description: "How long a repeated refresh returns the same successor. `0s` is strict rotation.",
  }),
  ACCESS_TOKEN_LIFETIME_MAX: setting(duration(), {
    default: "24h",
    example: "24h",
    description: "The longest `ACCESS_TOKEN_LIFETIME` that an app's own setting can have.",
  }),
  ID_TOKEN_LIFETIME_MAX: setting(duration(), {
    default: "24h",
    example: "24h",
    description: "The same for ID tokens.",
  }),
  REFRESH_TOKEN_LIFETIME_MAX: setting(duration(), {
    default: "365d",
    example: "365d",
    description: "The same for refresh tokens.",
  }),
  REFRESH_GRACE_MAX: setting(duration({ least: 0 }), {
    default: "60s",
    example: "60s",
    description: "The same for the grace of refresh tokens.",
  }),
  SESSION_IDLE_LIFETIME: setting(duration(), {
    default: "24h",
    example: "24h",
    description: "How long a session lasts without being used.",
  }),
  SESSION_LIFETIME: setting(duration(), { default: "30d", example: "30d", description: "The longest session." }),
  RESET_CODE_LIFETIME: setting(duration(), {
    default: "1h",
    example: "1h",
    description: "Codes and links to choose a new password.",
  }),
  PHONE_CODE_LIFETIME: setting(duration(), {
    default: "1h",
    example: "1h",
    description: "Codes that verify a phone number.",
  }),
  OTP_CODE_LIFETIME: setting(duration({ most: MAX_OTP_LIFETIME }), {
    default: "5m",
    example: "5m",
    description: "Codes that are sent as a second factor; `10m` at most.",
  }),
};

/** The settings in the groups and the order of docs/configuration.md. */
export const SETTING_GROUPS = {
  Addresses: addresses,
  "Database and keys": data,
  Mails: messages,
  "Processes and logs": processes,
  Retention: retentions,
  Lifetimes: lifetimes,
  OpenTelemetry: telemetryVariables,
};

export const environment = z.object({
  ...addresses,
  ...data,
  ...messages,
  ...processes,
  ...retentions,
  ...lifetimes,
  ...telemetryVariables,
});

export type Environment = z.output<typeof environment>;
export type EnvironmentName = keyof Environment;

/** The problem of one variable, with its example. */
export function problem(name: EnvironmentName, reason: string): ConfigProblem {
  return { name, reason: englishOf(reason), example: environment.shape[name].meta()?.example as string };
}
