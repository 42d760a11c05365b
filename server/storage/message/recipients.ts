/** The data of a recipient that a message needs. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface RecipientRow {
  id: string;
  organizationId: string;
  organizationName: string;
  primaryDomain: string | null;
  userName: string;
  firstName: string | null;
  lastName: string | null;
  nickName: string | null;
  displayName: string | null;
  preferredLanguage: string | null;
  email: string | null;
  isEmailVerified: boolean;
  phone: string | null;
  isPhoneVerified: boolean;
  claims: Record<string, unknown> | null;
  createdAt: number;
  changedAt: number;
}

const person = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("User as u")
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .select(["u.id", "u.organizationId", "o.name as organizationName", "u.userName", "u.firstName", "u.lastName"])
    .select(["u.nickName", "u.displayName", "u.preferredLanguage", "u.email", "u.isEmailVerified", "u.phone"])
    .select(["u.isPhoneVerified", "u.claims", "u.createdAt", "u.changedAt"])
    .select((eb) =>
      eb
        .selectFrom("Domain as d")
        .select("d.domain")
        .whereRef("d.organizationId", "=", "u.organizationId")
        .where("d.isPrimary", "=", true)
        .limit(1)
        .as("primaryDomain"),
    )
    .where("u.id", "=", $("id"))
    .where("u.kind", "=", "human")
    .$narrowType<{ claims: Record<string, unknown> | null }>(),
);

/** Returns the person with this id, in any state; undefined for machine users and removed users. */
export function findRecipient(db: Database, userId: string): Promise<RecipientRow | undefined> {
  return db.one(person({ id: userId }));
}
