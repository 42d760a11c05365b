/** The organizations that own objects, found by the ids of the objects alone. */
import type { Bound, Database } from "../database";
import { type Params, statement, tables } from "../statement";

/** What an object belongs to. */
export interface OwnerRow {
  organizationId: string;
  projectId: string;
  /** Only of role grants. */
  userId?: string;
  /** Only of keys of apps. */
  appId?: string;
}

type Id = Params<{ id: string }>;

const apps = tables.selectFrom("App as a").innerJoin("Project as p", "p.id", "a.projectId");

const OWNERS = {
  project: statement(($: Id) =>
    tables.selectFrom("Project").select(["organizationId", "id as projectId"]).where("id", "=", $("id")),
  ),
  app: statement(($: Id) => apps.select(["p.organizationId", "a.projectId"]).where("a.id", "=", $("id"))),
  // The id of a key is unique within an app only.
  appKey: statement(($: Id) =>
    apps
      .innerJoin("AppKey as k", "k.appId", "a.id")
      .select(["p.organizationId", "a.projectId", "k.appId"])
      .where("k.id", "=", $("id"))
      .limit(2),
  ),
  userGrant: statement(($: Id) =>
    tables.selectFrom("UserGrant").select(["organizationId", "projectId", "userId"]).where("id", "=", $("id")),
  ),
} satisfies Record<string, (values: { id: string }) => Bound<OwnerRow>>;

export type OwnedKind = keyof typeof OWNERS;

/** Returns undefined if there is no such object, or several. */
export async function findOwnerRow(db: Database, kind: OwnedKind, id: string): Promise<OwnerRow | undefined> {
  const rows: OwnerRow[] = await db.all<OwnerRow>(OWNERS[kind]({ id }));
  return rows.length === 1 ? rows[0] : undefined;
}
