/** Figures of the machine that an operator has to act on in time: room on its disk, and the end of its certificate. */
import { X509Certificate } from "node:crypto";
import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config";
import { readDatabaseUrl } from "../storage/engine/address";

export interface DiskRoom {
  freeBytes: number;
  sizeBytes: number;
}

/** Returns the room on the disk of the embedded database. The disk of PostgreSQL belongs to another machine. */
export async function readDiskRoom({ databaseUrl }: Pick<Config, "databaseUrl">): Promise<DiskRoom | undefined> {
  const address = readDatabaseUrl(databaseUrl);
  if (address.kind !== "sqlite") return undefined;
  const disk = await statfs(dirname(address.file)).catch(() => undefined);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

/**
 * Returns when the certificate in TLS_CERT_FILE expires, in epoch milliseconds; undefined if another program does TLS,
 * or if the file cannot be read.
 */
export async function readCertificateEnd({ tls }: Pick<Config, "tls">): Promise<number | undefined> {
  const certificate = tls && (await readFile(tls.certFile).catch(() => undefined));
  return certificate && Date.parse(new X509Certificate(certificate).validTo);
}
