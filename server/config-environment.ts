/** The variables of the environment, each with how it is read and an example of a good value. */

import { z } from "zod";
import { MAX_OTP_LIFETIME } from "./config-lifetimes";
import { telemetryVariables } from "./config-telemetry";
import {
  count,
  databaseUrl,
  duration,
  hostName,
  mailbox,
  networks,
  portNumber,
  publicUrl,
  retention,
  secretKeys,
  smtpUrl,
  yesOrNo,
} from "./config-values";
import { englishOf } from "./protocol/reason";

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

/** Longer than the interval of any usual check; process managers kill after half a minute unless told otherwise. */
const MAX_NOTICE = 60_000;

/** Figures of the console cover the last 30 days. */
const LEAST_RETENTION = 31 * 86_400_000;

/** A message is tried for a day, and an administrator has to see why it failed. */
const LEAST_MAIL_RETENTION = 2 * 86_400_000;

export const environment = z.object({
  PORT: portNumber.optional().meta({ example: "8080" }),
  HOST: hostName.optional().meta({ example: "127.0.0.1" }),
  BASE_URL: publicUrl.optional().meta({ example: "https://id.example.com" }),
  AUTH_URL: publicUrl.optional().meta({ example: "https://id.example.com" }),
  ALLOW_INSECURE_HTTP: yesOrNo.optional().meta({ example: "true" }),
  DATABASE_URL: databaseUrl.optional().meta({ example: "file:./data/service.db" }),
  SECRET_KEY: secretKeys
    .optional()
    .meta({ example: "<32 random characters or more, for instance from openssl rand -base64 32>" }),
  BOOTSTRAP_FILE: file.optional().meta({ example: "./bootstrap.json" }),
  SMTP_URL: smtpUrl.optional().meta({ example: "smtp://user:password@mail.example.com:587" }),
  MAIL_FROM: mailbox.optional().meta({ example: "Example <no-reply@example.com>" }),
  TRUSTED_PROXIES: networks.optional().meta({ example: "10.0.0.0/8,192.168.1.7" }),
  WORKERS: count.optional().meta({ example: "1" }),
  SHUTDOWN_NOTICE: duration({ least: 0, most: MAX_NOTICE }).optional().meta({ example: "5s" }),
  TLS_CERT_FILE: file.optional().meta({ example: "./tls/fullchain.pem" }),
  TLS_KEY_FILE: file.optional().meta({ example: "./tls/privkey.pem" }),
  GRPC_PORT: portNumber.optional().meta({ example: "8081" }),
  METRICS_TOKEN_FILE: file.optional().meta({ example: "/run/secrets/metrics_token" }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` })
    .optional()
    .meta({ example: "info" }),
  LOG_FORMAT: z.enum(["json", "text"], { error: "must be json or text" }).optional().meta({ example: "json" }),
  EVENT_RETENTION: retention({ least: LEAST_RETENTION }).optional().meta({ example: "400d" }),
  EVENT_ARCHIVE_DIRECTORY: file.optional().meta({ example: "./data/events" }),
  MAIL_RETENTION: duration({ least: LEAST_MAIL_RETENTION }).optional().meta({ example: "30d" }),
  CODE_LIFETIME: duration({ most: MAX_CODE_LIFETIME }).optional().meta({ example: "60s" }),
  ACCESS_TOKEN_LIFETIME: duration().optional().meta({ example: "1h" }),
  ID_TOKEN_LIFETIME: duration().optional().meta({ example: "1h" }),
  REFRESH_TOKEN_IDLE_LIFETIME: duration().optional().meta({ example: "30d" }),
  REFRESH_TOKEN_LIFETIME: duration().optional().meta({ example: "90d" }),
  REFRESH_GRACE: duration({ least: 0 }).optional().meta({ example: "10s" }),
  ACCESS_TOKEN_LIFETIME_MAX: duration().optional().meta({ example: "24h" }),
  ID_TOKEN_LIFETIME_MAX: duration().optional().meta({ example: "24h" }),
  REFRESH_TOKEN_LIFETIME_MAX: duration().optional().meta({ example: "365d" }),
  REFRESH_GRACE_MAX: duration({ least: 0 }).optional().meta({ example: "60s" }),
  SESSION_IDLE_LIFETIME: duration().optional().meta({ example: "24h" }),
  SESSION_LIFETIME: duration().optional().meta({ example: "30d" }),
  RESET_CODE_LIFETIME: duration().optional().meta({ example: "1h" }),
  PHONE_CODE_LIFETIME: duration().optional().meta({ example: "1h" }),
  OTP_CODE_LIFETIME: duration({ most: MAX_OTP_LIFETIME }).optional().meta({ example: "5m" }),
  SIGN_IN_ATTEMPT_RETENTION: duration({ least: 0 }).optional().meta({ example: "30d" }),
  ...telemetryVariables,
});

export type Environment = z.output<typeof environment>;
export type EnvironmentName = keyof Environment;

/** The problem of one variable, with its example. */
export function problem(name: EnvironmentName, reason: string): ConfigProblem {
  return { name, reason: englishOf(reason), example: environment.shape[name].meta()?.example as string };
}
