/** The columns of a user for claims in tokens and at the userinfo endpoint. */
import type { Database } from "../database";
import { columnsIn, type Params, statement, tables, truth } from "../statement";
import { shownLoginName } from "./sign-in-names";

/** Times are epoch milliseconds. */
export interface ClaimsRow {
  kind: "human" | "machine";
  firstName: string | null;
  lastName: string | null;
  nickName: string | null;
  displayName: string | null;
  preferredLanguage: string | null;
  gender: string | null;
  claims: Record<string, unknown> | null;
  address: Record<string, unknown> | null;
  email: string | null;
  isEmailVerified: boolean;
  isEmailTrusted: boolean;
  /** Whether the address is in a domain that the user's organization has verified. */
  isOwnDomain: boolean;
  phone: string | null;
  isPhoneVerified: boolean;
  name: string | null;
  changedAt: number;
  organizationId: string;
  loginName: string;
}

/** The columns of a ClaimsRow, of the user `u`; `claimExpressions` has the computed ones. */
export const CLAIM_COLUMNS = [
  ...(["u.kind", "u.firstName", "u.lastName", "u.nickName", "u.displayName", "u.preferredLanguage"] as const),
  ...(["u.gender", "u.claims", "u.address", "u.email", "u.isEmailVerified", "u.phone", "u.isPhoneVerified"] as const),
  ...(["u.name", "u.changedAt", "u.organizationId", "u.isEmailTrusted"] as const),
] as const;

export const claimExpressions = () =>
  [truth(isInOwnDomain()).as("isOwnDomain"), shownLoginName().as("loginName")] as const;

function isInOwnDomain() {
  const eb = columnsIn<{ u: "User"; d: "Domain" }>();
  const part = eb.fn<string>("substr", [
    "u.emailKey",
    eb(eb.fn<number>("length", ["u.emailKey"]), "-", eb.fn<number>("length", ["d.domain"])),
  ]);
  return eb.exists(
    tables
      .selectFrom("Domain as d")
      .select((of) => of.lit(1).as("one"))
      .where(eb("d.organizationId", "=", eb.ref("u.organizationId")))
      .where(eb.ref("d.isVerified"))
      .where(eb(part, "=", eb(eb.val("@"), "||", eb.ref("d.domain")))),
  );
}

const claimsOf = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("User as u")
    .select(CLAIM_COLUMNS)
    .select(claimExpressions())
    .where("u.id", "=", $("id"))
    .$castTo<ClaimsRow>(),
);

export function findClaimsRow(db: Database, id: string): Promise<ClaimsRow | undefined> {
  return db.one(claimsOf({ id }));
}
