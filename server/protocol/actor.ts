/**
 * The act claim (RFC 8693 §4.1): who acts for the subject of a token, and for whom he acted before. The chain only ever
 * grows, so that nobody becomes invisible by exchanging a token once more.
 */
export interface Actor {
  iss: string;
  sub: string;
  act?: Actor;
}

/** Exchanges on exchanges; whoever needs more has built a loop. */
export const mostActors = 10;

/** The subjects of a chain, the one who acts now first. */
export function actorSubjects(actor: Actor | undefined): string[] {
  const subjects: string[] = [];
  for (let one = actor; one !== undefined; one = one.act) subjects.push(one.sub);
  return subjects;
}

/** The claim that says all of this, the one who acts now first; nobody twice in a row. Undefined for nobody. */
export function actorClaim(issuer: string, subjects: readonly string[]): Actor | undefined {
  return subjects
    .filter((sub, index) => sub !== subjects[index - 1])
    .reduceRight<Actor | undefined>((act, sub) => ({ iss: issuer, sub, ...(act ? { act } : {}) }), undefined);
}

/** The claim as a row keeps it. */
export function readActor(json: string | null | undefined): Actor | undefined {
  return json ? (JSON.parse(json) as Actor) : undefined;
}

/** The act claim of a verified token; undefined where it has none or one that is not well-formed. */
export function parseActor(value: unknown): Actor | undefined {
  const { iss, sub, act } = (typeof value === "object" && value !== null ? value : {}) as Partial<Actor>;
  if (typeof iss !== "string" || typeof sub !== "string") return undefined;
  const earlier = parseActor(act);
  return { iss, sub, ...(earlier ? { act: earlier } : {}) };
}
