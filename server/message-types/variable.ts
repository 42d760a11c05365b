/** A variable of message texts, as the type of message declares it. Rule MESSAGE-1. */

/**
 * What the value of a variable looks like: the address of this service, something with a host or an @ in it (an e-mail
 * address, a login name, a chosen id), or neither.
 */
export type ValueKind = "text" | "host" | "mailbox";

export interface Variable {
  /** As written between the braces: `{{.UserName}}`. */
  name: string;
  /** Other spellings that mean the same. */
  aliases: readonly string[];
  /** One English sentence, for the API and its documentation. */
  description: string;
  /** For previews, test messages and lengths. */
  sample: string;
  /** Not everybody has a value; nothing is shown then. */
  mayBeEmpty: boolean;
  /** A freely chosen name or id, as opposed to an e-mail address or a login name. */
  isName: boolean;
  /** What its value looks like, for the rule that nothing is joined to an address. */
  valueKind: ValueKind;
}

type Traits = Partial<Pick<Variable, "aliases" | "mayBeEmpty" | "isName" | "valueKind">>;

export function variable(name: string, description: string, sample: string, traits: Traits = {}): Variable {
  const usual = { aliases: [], mayBeEmpty: false, isName: false, valueKind: "text" } as const;
  return { name, description, sample, ...usual, ...traits };
}

/** Values by the variable's name, not by aliases. Missing values are empty. */
export type VariableValues = Readonly<Record<string, string | undefined>>;

export const CODE = variable("Code", "The code that completes the step.", "K7M4-PX2Q");
export const ONE_TIME_CODE = variable("Code", "The one-time code to enter.", "48291537", { aliases: ["OTP"] });
export const SERVICE_DOMAIN = variable("Domain", "The host name of this service.", "id.acme.test", {
  valueKind: "host",
});
export const EXPIRY = variable("Expiry", "When the code expires.", "2025-03-14 09:31 UTC");
