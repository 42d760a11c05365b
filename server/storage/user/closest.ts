/**
 * Finds the users that a searched text names as a whole: its owner, if it is a login name, an address, a number or an
 * id, then those whose names begin with it. Each look-up follows an index and is bounded, so a common name costs no
 * more than a rare one.
 */
import type { Database } from "../database";
import { bind, columnsIn, type Params, statement, tables } from "../statement";
import { LAST } from "./search-conditions";

/** A text that was typed to find a user. */
export interface WholeText {
  /** The text with its letter case. */
  id: string;
  /** Comparable, with the host of an address in ASCII. */
  name: string;
  /** Comparable; the beginning of a name. */
  beginning: string;
  /** The digits of a phone number; undefined if the text is not one. */
  digits: string | undefined;
}

/** How closely a text names a user; smaller is closer. */
const CLOSENESS = { exact: 0, wholeName: 1, beginning: 2 } as const;

/** The maximum number of users that a look-up returns. More would share a page with worse results anyway. */
const MAX_FOUND = 10;

type Values = Omit<WholeText, "digits"> & { end: string; organizationId: string };
type KeyColumn = "u.loginNameKey" | "u.userNameKey" | "u.emailKey" | "u.displayNameKey";

const eb = columnsIn<{ u: "User"; w: "UserWord" }>();

const lookUpsIn = (isOneOrganization: boolean) => ($: Params<Values>) => {
  const users = () => {
    const all = tables.selectFrom("User as u").select("u.id");
    return isOneOrganization ? all.where("u.organizationId", "=", $("organizationId")) : all;
  };
  const look = (found: ReturnType<typeof users>, closeness: number) =>
    tables
      .selectFrom(found.limit(MAX_FOUND).as("found"))
      .select((of) => ["found.id", of.lit(closeness as 0).as("closeness")]);
  const equal = (column: KeyColumn) => users().where(column, "=", $("name"));
  const beginning = (column: KeyColumn) =>
    look(
      users().where(column, ">=", $("beginning")).where(column, "<", $("end")).orderBy(column).orderBy("u.id"),
      CLOSENESS.beginning,
    );
  return look(users().where("u.id", "=", $("id")), CLOSENESS.exact)
    .unionAll(look(equal("u.loginNameKey"), CLOSENESS.exact))
    .unionAll(look(equal("u.userNameKey"), CLOSENESS.exact))
    .unionAll(look(equal("u.emailKey"), CLOSENESS.exact))
    .unionAll(look(users().where("u.displayNameKey", "=", $("beginning")).orderBy("u.id"), CLOSENESS.wholeName))
    .unionAll(beginning("u.userNameKey"))
    .unionAll(beginning("u.emailKey"))
    .unionAll(beginning("u.displayNameKey"));
};

const lookUps = {
  everywhere: statement<Values, { id: string; closeness: number }>(lookUpsIn(false)),
  inOrganization: statement<Values, { id: string; closeness: number }>(lookUpsIn(true)),
};

/** Users with a number that begins with the digits; each number is one of the words of its user. */
function withNumber(organizationId: string | undefined, digits: string) {
  const words = tables
    .selectFrom("UserWord as w")
    .innerJoin("User as u", "u.id", "w.userId")
    .select(["w.userId as id", "w.word"])
    .where("w.word", ">=", digits)
    .where("w.word", "<", digits + LAST)
    .where(eb("u.phone", "is not", null))
    .orderBy("w.word")
    .orderBy("w.userId")
    .limit(MAX_FOUND);
  return bind(organizationId === undefined ? words : words.where("w.organizationId", "=", organizationId));
}

/**
 * Returns the users that the text names as a whole, by id, with the closeness of each.
 * @param organizationId undefined for all organizations
 */
export async function findClosest(
  db: Database,
  organizationId: string | undefined,
  { digits, ...text }: WholeText,
): Promise<ReadonlyMap<string, number>> {
  const values = { ...text, end: text.beginning + LAST, organizationId: organizationId ?? "" };
  const [named, numbers] = await Promise.all([
    db.all(organizationId === undefined ? lookUps.everywhere(values) : lookUps.inOrganization(values)),
    digits === undefined ? [] : db.all(withNumber(organizationId, digits)),
  ]);
  const found = [
    ...named,
    ...numbers.map(({ id, word }) => ({
      id,
      closeness: word === digits ? CLOSENESS.exact : CLOSENESS.beginning,
    })),
  ];
  const closest = new Map<string, number>();
  for (const { id, closeness } of found) {
    const known = closest.get(id);
    if (known === undefined || closeness < known) closest.set(id, closeness);
  }
  return closest;
}
