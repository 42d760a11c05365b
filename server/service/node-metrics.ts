/**
 * Metrics that are the same for all processes of a node: results of its checks, and values from the database. Values
 * from the database are missing during its outages.
 */
import { Gauge, Registry } from "prom-client";
import type { Context } from "../context";
import { readCertificateEnd, readDiskRoom } from "../directory/node-figures";
import { overdueEvents } from "../events/retention";
import { examineReadiness, type Readiness, within } from "../readiness";
import { listSigningKeyRows } from "../storage/key/signing-keys";
import { clockAhead } from "../storage/maintenance/clock";
import { listSequences } from "../storage/maintenance/sequences";
import { countMessages } from "../storage/message/outbox-log";

type Set = (name: string, help: string, value: number, labels?: Readonly<Record<string, string>>) => void;

export async function metricsOfNode(ctx: Context, readiness: Readiness): Promise<Registry> {
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  const set: Set = (name, help, value, labels = {}) => {
    const known = gauges.get(name);
    const gauge = known ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] });
    gauges.set(name, gauge);
    gauge.set(labels, value);
  };
  const { checks } = await examineReadiness(ctx, readiness);
  for (const [check, state] of Object.entries(checks)) {
    set("identity_check_ok", "Whether a check of /readyz says ok: 1, or 0.", state === "ok" ? 1 : 0, { check });
  }
  await Promise.all([diskFigures(ctx, set), certificateFigures(ctx, set)]);
  if (checks.database === "ok") await within(databaseFigures(ctx, set)).catch(() => undefined);
  return registry;
}

async function databaseFigures(ctx: Context, set: Set): Promise<void> {
  const now = ctx.clock();
  const [overdue, { byState, dueSince }, keys, ahead, sequences] = await Promise.all([
    overdueEvents(ctx),
    countMessages(ctx.db),
    listSigningKeyRows(ctx.db, now),
    clockAhead(ctx.db, now),
    listSequences(ctx.db),
  ]);
  const messages = "Messages in the outbox by state; settled ones stay for MAIL_RETENTION.";
  for (const [state, count] of Object.entries(byState)) set("identity_outbox_messages", messages, count, { state });
  set(
    "identity_outbox_overdue_seconds",
    "How long the message that should have been sent first has been waiting; 0 when none is due.",
    dueSince === undefined ? 0 : Math.max(0, now - dueSince) / 1000,
  );
  set(
    "identity_events_overdue_seconds",
    "For how long the oldest event should have been removed; 0 when none is older than EVENT_RETENTION.",
    overdue / 1000,
  );
  set(
    "identity_clock_difference_seconds",
    "How far the clock of PostgreSQL, or the newest event in the embedded database, is ahead of this machine's.",
    ahead / 1000,
  );
  const left = "How many numbers a sequence of the database can still give; without one nothing is recorded.";
  const ratio = "What part of the numbers of a sequence of the database is used, from 0 to 1.";
  for (const { name, used, last } of sequences) {
    set("identity_sequence_left", left, Math.max(0, last - used), { sequence: name });
    set("identity_sequence_used_ratio", ratio, used / last, { sequence: name });
  }
  const age = "For how long the key that signs has been in use, by algorithm.";
  for (const { algorithm, activeFrom } of keys) {
    // Oldest first: the last one that is in use signs.
    if (activeFrom !== null && activeFrom <= now) {
      set("identity_signing_key_age_seconds", age, (now - activeFrom) / 1000, { algorithm });
    }
  }
}

async function diskFigures({ config }: Context, set: Set): Promise<void> {
  const room = await readDiskRoom(config);
  if (room === undefined) return;
  set("identity_disk_free_bytes", "Room on the disk of the embedded database.", room.freeBytes);
  set("identity_disk_size_bytes", "Size of the disk of the embedded database.", room.sizeBytes);
}

async function certificateFigures({ config }: Context, set: Set): Promise<void> {
  const end = await readCertificateEnd(config);
  if (end === undefined) return;
  const help = "When the certificate in TLS_CERT_FILE expires, Unix time.";
  set("identity_certificate_end_timestamp_seconds", help, end / 1000);
}
