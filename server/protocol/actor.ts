/**
 * The act claim (RFC 8693 §4.1): who acts for the subject of a token, and who acted before. The chain only ever grows,
 * so that no actor disappears when the token is exchanged again.
 */
export interface Actor {
  iss: string;
  sub: string;
  act?: Actor;
}

/** The longest chain of actors; a client that needs a longer one has built a loop. */
export const MAX_ACTORS = 10;

/** Returns the subjects of a chain, the current actor first. */
export function actorSubjects(actor: Actor | undefined): string[] {
  const subjects: string[] = [];
  for (let one = actor; one !== undefined; one = one.act) subjects.push(one.sub);
  return subjects;
}

/**
 * Returns the claim for a chain of subjects, the current actor first. Consecutive duplicates are dropped. Undefined for
 * an empty chain.
 */
export function actorClaim(issuer: string, subjects: readonly string[]): Actor | undefined {
  return subjects
    .filter((sub, index) => sub !== subjects[index - 1])
    .reduceRight<Actor | undefined>((act, sub) => ({ iss: issuer, sub, ...(act ? { act } : {}) }), undefined);
}

/** Reads the claim as the database stores it. */
export function readActor(json: string | null | undefined): Actor | undefined {
  return json ? (JSON.parse(json) as Actor) : undefined;
}
