/** Figures for the console's charts and for monitoring. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Context } from "../../context";
import { strict, timeZone } from "../../directory/fields";
import { readCertificateEnd, readDiskRoom } from "../../directory/node-figures";
import {
  APPS,
  DAYS,
  DAYS_OF_APPS,
  listMigrations,
  readAttention,
  readFigures,
  readStorageFigures,
} from "../../directory/statistics";
import { nextKeyRotation } from "../../keys/rotate-signing-key";
import { root } from "../../root";
import { operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";

const count = z.int().nonnegative();
const date = z.iso.date().meta({ description: "A day in the requested time zone" });

const query = strict({
  timeZone: timeZone.optional().meta({
    description: "The IANA time zone of the days, such as `Europe/Berlin`; UTC by default",
  }),
});

const figures = {
  viewTimestamp: timestamp.meta({ description: "When the figures were computed; they are cached for a minute" }),
  counts: z.object({
    organizations: count.optional(),
    users: count,
    projects: count,
    apps: count,
    userGrants: count,
    livingSessions: count,
  }),
  signIns: z
    .array(z.object({ date, count, failed: count.meta({ description: "Attempts to sign in that did not succeed" }) }))
    .meta({ description: `The last ${DAYS} days, oldest first` }),
  apps: z.array(z.object({ clientId: z.string(), name: z.string().optional(), signedIn: count, failed: count })).meta({
    description: `How attempts to sign in ended in the last ${DAYS_OF_APPS} days, of the ${APPS} apps with most`,
  }),
  mail: z.array(z.object({ date, queued: count, sent: count, kept: count, failed: count, expired: count })),
  attention: z
    .object({
      failures: z
        .array(
          z.object({ reason: z.string(), today: count.meta({ description: "The number of today" }), before: count }),
        )
        .meta({ description: "Failed attempts to sign in by reason: today, and on the same day of last week" }),
      lockedOut: count.meta({ description: "Users who had to wait today after too many wrong passwords or codes" }),
      failedMessages: z
        .object({
          email: count,
          sms: count.meta({ description: "Text messages that were not sent by a webhook" }),
          webhook: count.meta({ description: "Emails and text messages that a webhook was called for" }),
        })
        .meta({ description: "Messages of yesterday and today that failed, by how they were sent" }),
      waitingDrafts: count.meta({ description: "Texts that wait for an approval" }),
      expiringCredentials: count.meta({
        description:
          "Secrets and keys of apps and machines, and certificates and client secrets of identity providers, that expire within 30 days",
      }),
      expiringBy: z
        .object({ apps: count, machines: count, identityProviders: count })
        .meta({ description: "The same by what has them" }),
    })
    .meta({ description: "What needs an administrator's attention" }),
};

async function readAll(ctx: Context, organizationId: string | undefined, zone = "UTC") {
  const [taken, attention] = await Promise.all([
    readFigures(ctx, organizationId, zone),
    readAttention(ctx, organizationId, zone),
  ]);
  return { ...taken, attention };
}

const service = z.object({
  version: z.string(),
  runtime: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
  workers: count,
  migrations: z.object({ applied: count, last: z.string() }),
  disk: z
    .object({ freeBytes: count, sizeBytes: count })
    .optional()
    .meta({ description: "The disk of the embedded database; left out with PostgreSQL" }),
  certificateExpirationDate: timestamp
    .optional()
    .meta({ description: "The end of the certificate in `TLS_CERT_FILE`; left out if another program does TLS" }),
  nextKeyRotationDate: timestamp.optional().meta({ description: "When the next signing key is rotated automatically" }),
});

const storage = z.object({
  bytes: count,
  tables: z
    .array(z.object({ name: z.string(), bytes: count }))
    .optional()
    .meta({ description: "With their indexes; left out for large files, as they would have to be read as a whole" }),
  bytesPerSession: count.optional(),
  bytesPerEvent: count.optional(),
  bytesPerMessage: count.optional().meta({ description: "Emails and text messages, with the letters that are kept" }),
});

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

async function describeService(ctx: Context): Promise<z.input<typeof service>> {
  const { config } = ctx;
  const [migrations, disk, certificateEnd, rotation] = await Promise.all([
    listMigrations(ctx),
    readDiskRoom(config),
    readCertificateEnd(config),
    nextKeyRotation(ctx),
  ]);
  return {
    version,
    runtime: `Node.js ${process.versions.node}`,
    database: ctx.db.kind,
    workers: config.workers,
    migrations: { applied: migrations.length, last: migrations.at(-1) ?? "" },
    ...(disk && { disk }),
    ...(certificateEnd !== undefined && { certificateExpirationDate: new Date(certificateEnd).toISOString() }),
    ...(rotation !== undefined && { nextKeyRotationDate: new Date(rotation).toISOString() }),
  };
}

const tag = "Statistics";

export const statisticsOperations = [
  operation("GetInstanceStatistics", "GET /admin/v1/statistics", {
    tag,
    summary:
      "Read figures of the whole service: counts, sign-ins and emails by day, attempts by app, storage, versions",
    scope: { level: "instance", permission: "iam.read" },
    effort: "search",
    query,
    answer: z.object({ ...figures, storage, service }),
    async handle(ctx, { query }) {
      const [taken, stored, described] = await Promise.all([
        readAll(ctx, undefined, query.timeZone),
        readStorageFigures(ctx),
        describeService(ctx),
      ]);
      return { ...taken, storage: stored, service: described };
    },
  }),
  operation("GetStatistics", "GET /management/v1/statistics", {
    tag,
    summary: "Read figures of an organization: counts, sign-ins and emails by day, attempts by app",
    scope: { level: "organization", permission: "org.read" },
    effort: "search",
    query,
    answer: z.object(figures),
    handle: (ctx, { organizationId, query }) => readAll(ctx, organizationId, query.timeZone),
  }),
];
