/**
 * The definition of a type of message as one value: its name, purpose, channel, variables, and the requirements of its
 * text. Each type has a file and a row in table.ts; its texts and translated names are its entry in
 * `messages/<tag>/mail.json`.
 */
import type { FactorKind } from "../protocol/second-factor";
import type { Variable, VariableValues } from "./variable";

/** The purposes of messages, in the order in which users usually meet them; the groups of the editor. */
export const PURPOSES = ["welcome", "confirm", "codes", "security", "changes"] as const;
export type MessagePurpose = (typeof PURPOSES)[number];

/** Formats values for the recipient of the message. */
export interface Reader {
  /** Formats a time in the recipient's language and time zone. @param at epoch milliseconds */
  time(at: number): string;
  /** Returns the name of a kind of factor in the recipient's language. */
  factor(kind: FactorKind | "passkey"): string;
}

export interface MessageDefinition<Slug extends string = string> {
  /** Its name in URLs, in the database and in the bootstrap file, which never changes. */
  slug: Slug;
  purpose: MessagePurpose;
  /** Whether it is listed before the others of its purpose. */
  isFirstOfPurpose?: true;
  /** Messages to phones show only their text, and have no button. */
  channel: "mail" | "sms";
  /**
   * Set if it reports an event of the account: when, where from and, if the reader can act on it, a link. Its purpose
   * is `security`, so its text takes power over its readers (texts/variables.ts), except with `needsNoPower`.
   */
  notice?: { isDisownable: boolean };
  /** The permission to change texts is enough to change this one, regardless of its readers. */
  needsNoPower?: true;
  /** Only the page that requested its code accepts it, so the message has no button. */
  withoutButton?: true;
  /** Its text is its only field; omitted: it has all seven. */
  hasTextOnly?: true;
  /**
   * How it opens the account of its reader: by a code in the text (`{{.Code}}`), or by its button alone. Such texts
   * take power over their readers, too.
   */
  opensBy?: "code" | "button";
  /**
   * Set if its code sets a new password. The service shows the code with its link below the button, which signs in.
   * A message whose payload has `withoutReset` offers none.
   */
  offersReset?: true;
  /** The code is entered on a page that waits for it. */
  codeIsTyped?: true;
  /** Its own variables, in addition to the common ones, each with its sample for previews. */
  variables: readonly Variable[];
  /** The common variables that may be empty elsewhere, but without which it cannot be sent. */
  given: readonly string[];
  /** The names of its remote procedures (rule GRPC-3). Omitted: it has none; all types are set and read by REST. */
  procedures?: {
    /** The name in `SetDefaultInitMessageText`, for instance. */
    name: string;
    /** At organization level the procedure sets a `…MessageCustomText`, for historical reasons. */
    isCustomText?: true;
  };
  /** Returns the values of its own variables from the data stored with the message; previews have no data. */
  values?(own: object, reader: Reader): VariableValues;
  /** The path below BASE_URL that its button leads to; omitted: a sign-in. */
  landsOn?: string | ((own: object) => string);
  /** Returns the login name to fill in if its button leads to a sign-in. */
  loginHint?(own: object): string | undefined;
}

type Specific<Slug extends string, Own> = Omit<MessageDefinition<Slug>, "values" | "landsOn" | "loginHint"> & {
  values?(own: Partial<Own>, reader: Reader): VariableValues;
  landsOn?: string | ((own: Partial<Own>) => string);
  loginHint?(own: Partial<Own>): string | undefined;
};

/** Returns the definition with the slug as a literal type. @param definition of a type whose messages store `Own` */
export function messageType<const Slug extends string, Own extends object = object>(
  definition: Specific<Slug, Own>,
): MessageDefinition<Slug> {
  return definition;
}
