/** A variable of message texts, as declared by the type of message. Rule MESSAGE-1. */

import { momentText } from "../../messages/moment";

/**
 * The kind of a variable's value: the address of this service, a value with a host or an @ in it (an email address, a
 * login name, a chosen id), or neither.
 */
export type ValueKind = "text" | "host" | "mailbox";

export interface Variable {
  /** The name between the braces: `{{.UserName}}`. */
  name: string;
  /** Alternative spellings. */
  aliases: readonly string[];
  /** One English sentence, for the API and its documentation. */
  description: string;
  /** A sample for previews, test messages and lengths. */
  sample: string;
  /** Whether some users have no value; the variable then shows nothing. */
  mayBeEmpty: boolean;
  /** Whether it is a freely chosen name or id, as opposed to an email address or a login name. */
  isName: boolean;
  /** The moment that its sample names, in epoch milliseconds: previews show it in the language of the text. */
  sampleAt?: number;
  /** The kind of its value, for the rule that no text is joined to an address. */
  valueKind: ValueKind;
}

type Traits = Partial<Pick<Variable, "aliases" | "mayBeEmpty" | "isName" | "sampleAt" | "valueKind">>;

export function variable(name: string, description: string, sample: string, traits: Traits = {}): Variable {
  const usual = { aliases: [], mayBeEmpty: false, isName: false, valueKind: "text" } as const;
  return { name, description, sample, ...usual, ...traits };
}

/** Returns a variable whose value is a moment. @param sampleAt epoch milliseconds */
export function momentVariable(name: string, description: string, sampleAt: number): Variable {
  return variable(name, description, momentText(sampleAt, ["en"]), { sampleAt });
}

/** Values by the variable's name, not by aliases. Missing values are empty. */
export type VariableValues = Readonly<Record<string, string | undefined>>;

export const CODE = variable("Code", "The code that completes the step.", "K7M4-PX2Q");
export const ONE_TIME_CODE = variable("Code", "The one-time code to enter.", "48291537", { aliases: ["OTP"] });
export const SERVICE_DOMAIN = variable("Domain", "The host name of this service.", "id.acme.test", {
  valueKind: "host",
});
export const EXPIRY = momentVariable("Expiry", "When the code expires.", Date.UTC(2025, 2, 14, 9, 31));
