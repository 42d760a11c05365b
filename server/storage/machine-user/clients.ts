/** Machine users as OAuth clients. Each is active, in an active organization. */
import type { Database } from "../database";
import { listStatement, type Params, statement, tables } from "../statement";

/** An active machine user in an active organization. */
export interface MachineClientRow {
  id: string;
  organizationId: string;
  clientId: string;
  accessTokenType: string | null;
  legacyAssertionAudience: boolean;
}

const machines = tables
  .selectFrom("User as u")
  .innerJoin("Organization as o", "o.id", "u.organizationId")
  .select(["u.id", "u.organizationId", "u.accessTokenType", "u.legacyAssertionAudience"])
  .select((eb) => eb.fn.coalesce("u.clientId", "u.userName").as("clientId"))
  .where((eb) => eb.and({ "u.kind": "machine", "u.state": "active", "o.state": "active" }));

const withSecret = listStatement(($: Params<{ clientId: string; key: string }>, secretDigests) =>
  machines
    .where((eb) =>
      eb.or([
        eb("u.userNameKey", "=", $("key")),
        eb.and([eb("u.id", "=", $("clientId")), eb("u.clientId", "=", $("clientId"))]),
      ]),
    )
    .where("u.secretDigest", "in", secretDigests)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("App as a").select("a.id").where("a.clientId", "=", $("clientId")))),
    )
    .limit(2),
);

/**
 * Returns the machine users that authenticate with this client id or user name and one of these secrets; none if an app
 * has that client id. At most two, enough to tell whether the result is unambiguous.
 * @param names.key the client id in comparable form
 */
export function listMachinesWithSecret(
  db: Database,
  names: { clientId: string; key: string },
  secretDigests: readonly string[],
): Promise<MachineClientRow[]> {
  return db.all(withSecret(names, secretDigests));
}

const shared = statement(() =>
  tables
    .selectFrom("User")
    .select("userNameKey")
    .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("many"))
    .where((eb) => eb.and({ kind: "machine", clientId: null }))
    .groupBy("userNameKey")
    .having((eb) => eb.fn.countAll(), ">", 1)
    .orderBy("userNameKey")
    .limit(20),
);

/** Returns the first few user names that are the client id of several machine users, with their number. */
export function listSharedClientIds(db: Database): Promise<{ userNameKey: string; many: number }[]> {
  return db.all(shared());
}

const withKey = statement(($: Params<{ id: string; keyId: string; now: number }>) =>
  machines
    .innerJoin("MachineKey as k", "k.userId", "u.id")
    .select("k.publicJwk")
    .where("k.userId", "=", $("id"))
    .where("k.id", "=", $("keyId"))
    .where((eb) => eb.or([eb("k.expiresAt", "is", null), eb("k.expiresAt", ">", $("now"))]))
    .$narrowType<{ publicJwk: Record<string, unknown> }>(),
);

/** Returns an active machine user in an active organization with one of its keys that has not expired. */
export function findMachineWithKey(
  db: Database,
  id: string,
  keyId: string,
  now: number,
): Promise<(MachineClientRow & { publicJwk: Record<string, unknown> }) | undefined> {
  return db.one(withKey({ id, keyId, now }));
}

const publishing = statement(($: Params<{ id: string }>) =>
  machines
    .select("u.jwksUri")
    .where("u.id", "=", $("id"))
    .where("u.jwksUri", "is not", null)
    .$narrowType<{ jwksUri: string }>(),
);

/** Returns an active machine user in an active organization that publishes its keys itself. */
export function findPublishingMachine(
  db: Database,
  id: string,
): Promise<(MachineClientRow & { jwksUri: string }) | undefined> {
  return db.one(publishing({ id }));
}
