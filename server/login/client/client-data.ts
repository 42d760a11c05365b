/** What a login client notes about its sessions: who starts them, the device, metadata, and an earlier end. */
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { describeSession } from "../../storage/session/client-data";
import type { SessionRow } from "../../storage/session/session";

export interface ClientData {
  /** The user that the login client calls as. */
  creatorId: string;
  fingerprintId?: string;
  header?: Readonly<Record<string, { values: string[] }>>;
  /** Values in base64. */
  metadata?: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/** What of it is stored as JSON. */
export type StoredClientData = Pick<ClientData, "header" | "metadata">;

/** Characters of the stored JSON: the session's token contains it too. */
const MAX_STORED = 4_000;

const storedOf = ({ header, metadata }: ClientData) => JSON.stringify({ header, metadata } satisfies StoredClientData);

/**
 * Adds metadata, of which an empty value removes one, and sets the end.
 * @param lifetime milliseconds from now
 */
export function withNotes(
  ctx: Context,
  client: ClientData,
  { metadata, lifetime }: { metadata?: Readonly<Record<string, string>>; lifetime?: number },
): ClientData | ApiError {
  const entries = Object.entries({ ...client.metadata, ...metadata }).filter(([, value]) => value !== "");
  const noted: ClientData = {
    ...client,
    ...(metadata && { metadata: Object.fromEntries(entries) }),
    ...(lifetime !== undefined && { expiresAt: ctx.clock() + lifetime }),
  };
  if (storedOf(noted).length <= MAX_STORED) return noted;
  const words = `The metadata and the header of the device have more than ${MAX_STORED} characters.`;
  return invalidArgument("session.too_much_data", words, { field: "metadata" });
}

/** Stores it with the session, which ends at the usual time after its authentication, or earlier. */
export async function keepClientData(ctx: Context, stored: SessionRow, client: ClientData): Promise<void> {
  const { creatorId, fingerprintId = null, expiresAt } = client;
  const last = stored.authTime + ctx.config.lifetimes.session;
  await describeSession(ctx.db, {
    id: stored.id,
    creatorId,
    fingerprintId,
    clientData: storedOf(client),
    expiresAt: expiresAt === undefined ? stored.expiresAt : Math.min(expiresAt, last),
  });
}
