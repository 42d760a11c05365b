/** What login clients note about their sessions. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

const describe = statement(
  ($: Params<{ id: string; creatorId: string; fingerprintId: string | null; clientData: string; expiresAt: number }>) =>
    tables
      .updateTable("Session")
      .set({ creatorId: $("creatorId"), fingerprintId: $("fingerprintId") })
      .set({ clientData: $("clientData"), expiresAt: $("expiresAt") })
      .where("id", "=", $("id"))
      .where("endedAt", "is", null),
);

/** Stores what a login client notes about its session. */
export const describeSession = (db: Database, data: Parameters<typeof describe>[0]): Promise<number> =>
  db.run(describe(data));
