/**
 * The variables of message texts, by type: one catalogue for checks, editor, documentation and sending, so that they
 * always agree. Rule MESSAGE-1. Names that people chose themselves are marked, as they may
 * contain links (see `lookUpIn`).
 */
import type { ValueKind } from "./addresses";
import { MESSAGE_TYPES, type MessageType } from "./kinds";

export interface Variable {
  /** As written between the braces: `{{.UserName}}`. */
  name: string;
  /** Other spellings that mean the same. */
  aliases: readonly string[];
  /** Key of the description in the reader's language. */
  descriptionKey: string;
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

function variable(name: string, description: string, sample: string, traits: Traits = {}): Variable {
  const descriptionKey = `variables.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const usual = { aliases: [], mayBeEmpty: false, isName: false, valueKind: "text" } as const;
  return { name, description, sample, descriptionKey, ...usual, ...traits };
}

const name = { isName: true } as const;
const host = { valueKind: "host" } as const;
const mailbox = { valueKind: "mailbox" } as const;
const optional = { mayBeEmpty: true } as const;

/**
 * The thirteen of rule MESSAGE-1, then two more that texts written for services of this kind use. Both `UserName`
 * and `Username` are accepted, as both spellings are in use.
 */
const COMMON: readonly Variable[] = [
  variable("UserName", "The user name.", "ada", { ...mailbox, aliases: ["Username"] }),
  variable("FirstName", "The first name.", "Ada", name),
  variable("LastName", "The last name.", "Lovelace", name),
  variable("NickName", "The nickname; many people have none.", "Countess", { ...name, ...optional }),
  variable("DisplayName", "The display name; the login name of people without one.", "Ada Lovelace", name),
  variable("LastEmail", "The newest email address, confirmed or not.", "ada@acme.test", { ...mailbox, ...optional }),
  variable("VerifiedEmail", "The confirmed email address.", "ada@acme.test", { ...mailbox, ...optional }),
  variable("LastPhone", "The newest phone number, confirmed or not.", "+441234567890", optional),
  variable("VerifiedPhone", "The confirmed phone number.", "+441234567890", optional),
  variable("PreferredLoginName", "The name to sign in with.", "ada@acme.test", {
    ...mailbox,
    aliases: ["LoginName"],
  }),
  variable("LoginNames", "All names to sign in with, separated by commas.", "ada@acme.test, ada@acme.example", mailbox),
  variable("ChangeDate", "When the person's data last changed.", "2025-03-14 09:26 UTC"),
  variable("CreationDate", "When the account was created.", "2024-11-02 15:40 UTC"),
  variable("UserID", "The id of the account.", "01890a5d-ac96-774b-bcce-b302099a8057", { ...name, ...mailbox }),
  variable("OrgID", "The id of the account's organization.", "01890a5d-ac96-774b-bcce-b30209c1f2a4", {
    ...name,
    ...mailbox,
  }),
];

const CODE = variable("Code", "The code that completes the step.", "K7M4PX2Q");
const OTP = variable("Code", "The one-time code to enter.", "48291537", { aliases: ["OTP"] });
const SERVICE_DOMAIN = variable("Domain", "The host name of this service.", "id.acme.test", host);
const EXPIRY = variable("Expiry", "Until when the code is valid.", "2025-03-14 09:31 UTC");

const EXTRAS: Readonly<Record<MessageType, readonly Variable[]>> = {
  init: [CODE],
  passwordreset: [CODE],
  verifyemail: [CODE],
  verifyphone: [CODE],
  verifysmsotp: [OTP, SERVICE_DOMAIN, EXPIRY],
  verifyemailotp: [
    OTP,
    SERVICE_DOMAIN,
    EXPIRY,
    variable(
      "URL",
      "An address to sign in at. The code itself is entered on the page that asked for it.",
      "https://id.acme.test/account",
      {
        ...host,
        aliases: ["VerifyURL"],
      },
    ),
    variable("Origin", "The base address of this service.", "https://id.acme.test", host),
  ],
  domainclaimed: [
    variable("Domain", "The domain another organization has claimed.", "acme.example", host),
    variable("TempUsername", "The user name that works from now on.", "01890a5dac96@temporary.id.acme.test", {
      ...mailbox,
      aliases: ["TempUserName"],
    }),
  ],
  passwordless_registration: [],
  password_change: [],
  invite_user: [CODE, variable("ApplicationName", "What the person is invited to.", "Acme Portal", name)],
};

/** The variables without which a message of this type cannot be sent. */
const GIVEN: Readonly<Record<MessageType, readonly string[]>> = {
  init: ["LastEmail"],
  passwordreset: ["LastEmail", "VerifiedEmail"],
  verifyemail: ["LastEmail"],
  verifyphone: ["LastPhone"],
  verifysmsotp: ["LastPhone", "VerifiedPhone"],
  verifyemailotp: ["LastEmail", "VerifiedEmail"],
  domainclaimed: ["LastEmail"],
  passwordless_registration: ["LastEmail", "VerifiedEmail"],
  password_change: ["LastEmail", "VerifiedEmail"],
  invite_user: ["LastEmail"],
};

const catalogue = new Map<MessageType, readonly Variable[]>(
  MESSAGE_TYPES.map((type) => [
    type,
    [...EXTRAS[type], ...COMMON].map((entry) =>
      GIVEN[type].includes(entry.name) ? { ...entry, mayBeEmpty: false } : entry,
    ),
  ]),
);
const spellings = new Map<MessageType, ReadonlyMap<string, Variable>>(
  MESSAGE_TYPES.map((type) => [
    type,
    new Map(variablesOf(type).flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry] as const))),
  ]),
);

/** All variables of a type: its own first, then the common ones. */
export function variablesOf(type: MessageType): readonly Variable[] {
  return catalogue.get(type) ?? [];
}

/** The variable of this type with that name or alias; case-sensitive. */
export function findVariable(type: MessageType, spelling: string): Variable | undefined {
  return spellings.get(type)?.get(spelling);
}

/** The types that have a variable with that name or alias. */
export function typesWith(spelling: string): MessageType[] {
  return MESSAGE_TYPES.filter((type) => findVariable(type, spelling) !== undefined);
}

/** Whether messages of this type have a code, `{{.Code}}`. */
export function carriesCode(type: MessageType): boolean {
  return findVariable(type, "Code") !== undefined;
}

/**
 * Whether a message of this type opens the account of whoever reads it, by a code or by its link: its texts are changed
 * by those who have power over its readers, and name no foreign addresses.
 */
export function opensAccount(type: MessageType): boolean {
  return carriesCode(type) || type === "passwordless_registration";
}

/** Values by the variable's name, not by aliases. Missing values are empty. */
export type VariableValues = Readonly<Record<string, string | undefined>>;

/** Sample values, for previews and tests. */
export function sampleValues(type: MessageType): Record<string, string> {
  return Object.fromEntries(variablesOf(type).map(({ name, sample }) => [name, sample]));
}

/**
 * The look-up function for `renderTemplate`: it resolves aliases, knows only the variables of this type (and no
 * properties that JavaScript objects inherit), and removes links from names.
 */
export function lookUpIn(type: MessageType, values: VariableValues): (spelling: string) => string | undefined {
  return (spelling) => {
    const variable = findVariable(type, spelling);
    const value = variable && values[variable.name];
    return value !== undefined && variable?.isName ? withoutLinks(value) : value;
  };
}

/**
 * Changes a name so that no mail program makes a link of it: nobody shall be able to have a link sent from our address
 * by calling themselves `https://evil.test`. Words with a scheme are removed; host names stay readable but get a
 * zero-width space (U+200B). A login name that replaces a missing name is kept as it is, as people copy it.
 */
export function withoutLinks(name: string): string {
  if (/^[^\s@/:]+@[^\s@/:]+$/u.test(name)) return name;
  return name
    .replace(/(?<!\S)\S*:\/\/\S*\s*/gu, "")
    .replace(/(?<=[\p{L}\p{N}][.\u3002\uff0e\uff61])(?=\p{L}{2})/gu, "\u200b")
    .trim();
}
