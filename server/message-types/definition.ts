/**
 * What a type of message is, as one value: its name, what it is for, how it travels, what it can say, and what its text
 * must have. A file each, and a row in table.ts; its texts and its names in people's languages are its entry in
 * `messages/<tag>/mail.json`.
 */
import type { FactorKind } from "../protocol/second-factor";
import type { Variable, VariableValues } from "./variable";

/** What messages are for, in the order in which a person usually meets them; the groups of the editor. */
export const PURPOSES = ["welcome", "confirm", "codes", "security", "changes"] as const;
export type MessagePurpose = (typeof PURPOSES)[number];

/** For whoever gets the message. */
export interface Reader {
  /** A time in their language and time zone. @param at epoch milliseconds */
  time(at: number): string;
  /** The name of a kind of factor in their language. */
  factor(kind: FactorKind | "passkey"): string;
}

export interface MessageDefinition<Slug extends string = string> {
  /** Its name in addresses, in the database and in the bootstrap file, which never changes. */
  slug: Slug;
  purpose: MessagePurpose;
  /** Listed before the others of its purpose. */
  isFirstOfPurpose?: true;
  /** Messages to phones show their text alone, and have no button. */
  channel: "mail" | "sms";
  /**
   * It tells what happened to the account: when, where from and, if the reader can do something about it, a way to. Its
   * purpose is `security`, so its text takes power over its readers (texts/variables.ts).
   */
  notice?: { isDisownable: boolean };
  /** Only the page that asked for its code takes it, so a button would lead elsewhere. */
  withoutButton?: true;
  /** Its text is its only field; left out: it has all seven. */
  hasTextOnly?: true;
  /**
   * It opens the account of its reader: by a code that the text shows (`{{.Code}}`), or by its button alone. Such texts
   * take power over their readers, too.
   */
  opensBy?: "code" | "button";
  /** The code is typed on a page that waits for it. */
  codeIsTyped?: true;
  /** Its own variables, beside the common ones, each with its sample for previews. */
  variables: readonly Variable[];
  /** The common variables that may be empty elsewhere, without which it cannot be sent. */
  given: readonly string[];
  /**
   * The names of its remote procedures (rule GRPC-3). Left out: it has none; all types are set and read by REST.
   */
  procedures?: {
    /** As in `SetDefaultInitMessageText`. */
    name: string;
    /** At organization level they set a `…MessageCustomText`, for historical reasons. */
    isCustomText?: true;
  };
  /** The values of its own variables, by what was stored with the message; in previews nothing was. */
  values?(own: object, reader: Reader): VariableValues;
  /** Below BASE_URL, where its button leads; left out: to a sign-in. */
  landsOn?: string | ((own: object) => string);
  /** The login name to fill in where its button leads to a sign-in. */
  loginHint?(own: object): string | undefined;
}

type Specific<Slug extends string, Own> = Omit<MessageDefinition<Slug>, "values" | "landsOn" | "loginHint"> & {
  values?(own: Partial<Own>, reader: Reader): VariableValues;
  landsOn?: string | ((own: Partial<Own>) => string);
  loginHint?(own: Partial<Own>): string | undefined;
};

/** Keeps the slug as its own type. @param definition of a type whose messages are stored with `Own` */
export function messageType<const Slug extends string, Own extends object = object>(
  definition: Specific<Slug, Own>,
): MessageDefinition<Slug> {
  return definition;
}
