/** Reads single members of client metadata. The first that is wrong is the error of the whole. */
import { invalidClientMetadata, type OAuthError } from "../../protocol/oauth-error";
import { line, webAddress } from "../fields";

/** The body of a registration or the content of a document. */
export type GivenMetadata = Readonly<Record<string, unknown>>;

/** How the metadata came. A document is written for many services, so it may ask for what only others offer. */
export type MetadataSource = "registration" | "document";

export interface MetadataReader {
  given: GivenMetadata;
  source: MetadataSource;
  /** Returns the error for the first wrong member. */
  problem(): OAuthError | undefined;
  refuse(member: string, why: string): undefined;
  /** Whether a member is given. Null is like a member that is left out (RFC 7592 §2.2). */
  has(member: string): boolean;
  text(member: string, most?: number): string | undefined;
  address(member: string): string | undefined;
  flag(member: string): boolean | undefined;
  /** Returns the known words of a list; a document may have others. */
  list<Word extends string>(member: string, known: readonly Word[]): readonly Word[] | undefined;
  oneOf<Word extends string>(member: string, known: readonly Word[]): Word | undefined;
}

/** Returns a reader of metadata. A member that is missing or wrong is read as undefined. */
export function metadataReader(given: GivenMetadata, source: MetadataSource): MetadataReader {
  let error: OAuthError | undefined;
  const has = (member: string) => given[member] !== undefined && given[member] !== null;
  const refuse = (member: string, why: string): undefined => {
    error ??= invalidClientMetadata(`${member} ${why}`);
    return undefined;
  };
  return {
    given,
    source,
    has,
    refuse,
    problem: () => error,
    text(member, most = 200) {
      if (!has(member)) return undefined;
      const { success, data } = line(most).safeParse(given[member]);
      return success ? data : refuse(member, `must be a text of 1 to ${most} characters`);
    },
    address(member) {
      if (!has(member)) return undefined;
      const { success, data } = webAddress.safeParse(given[member]);
      return success ? data : refuse(member, "must be an http:// or https:// address");
    },
    flag(member) {
      if (!has(member)) return undefined;
      const value = given[member];
      return typeof value === "boolean" ? value : refuse(member, "must be true or false");
    },
    list(member, known) {
      if (!has(member)) return undefined;
      const value = given[member];
      if (!Array.isArray(value) || value.length > 50) return refuse(member, "must be an array");
      const words = value.map((word: unknown) => (typeof word === "string" ? sorted(word) : undefined));
      const isKnown = words.every((word) => (known as readonly unknown[]).includes(word));
      if (!isKnown && source === "registration") return refuse(member, `may have only: ${known.join(", ")}`);
      return known.filter((word) => words.includes(word));
    },
    oneOf(member, known) {
      if (!has(member)) return undefined;
      return known.find((word) => word === given[member]) ?? refuse(member, `must be one of: ${known.join(", ")}`);
    },
  };
}

/** The words of a response type may be in any order (RFC 6749 §3.1.1). */
const sorted = (words: string): string => words.split(" ").sort().join(" ");
