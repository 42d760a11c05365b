/**
 * Checks a message text before it is sent. Errors are problems that would break a message: unknown variables are
 * replaced by nothing, unclosed braces stay visible, and without code and button readers cannot act on the mail.
 * Doubtful but harmless content causes a warning. Pure; used by the editor, the API and the bootstrap file. Rules
 * TEXT-7 and API-1; positions (from 0) and limits are in characters (code points).
 */
import { definitionOf, type MessageType } from "../message-types/table";
import { editDistance } from "../protocol/edit-distance";
import { type FoundAddress, findAddresses, type OwnHosts } from "./addresses";
import type { MessageText } from "./built-in";
import { fieldWarnings, textWarnings } from "./lint-warnings";
import {
  fieldsOf,
  isShortMessage,
  limitOf,
  MESSAGE_FIELDS,
  type MessageField,
  type MessageTextFields,
} from "./message-text";
import { codePoints, parseTemplate, type Segment } from "./template";
import type { TextError, TextErrorId, TextWarning } from "./text-issue";
import { carriesCode, findVariable, isProtected, typesWith, variablesOf } from "./variables";
import { isVisible, readFields, showsVariable } from "./visible";

/** Limits the errors in a response, which keeps checking cheap (attack: a flood of braces). */
const MAX_ERRORS = 20;

/**
 * Checks an override. Fields that are empty or omitted fall back to `inherited`, the text that applies without this
 * override (for an organization, the instance's over the built-in one).
 * @param ownHosts the hosts that a message that opens or protects accounts may name
 */
export function lintMessageText(
  type: MessageType,
  given: MessageTextFields,
  inherited: MessageText,
  ownHosts: OwnHosts,
): { errors: TextError[]; warnings: TextWarning[] } {
  const own = ownFields(type, given);
  const effective = Object.fromEntries(
    MESSAGE_FIELDS.map((field) => [field, own.includes(field) ? given[field] : inherited[field]]),
  ) as MessageText;
  const errors = findFieldErrors(type, given, ownHosts);
  const lost = errors.length === 0 && own.length > 0 ? checkCodeOrButton(type, effective) : undefined;
  const isWrong = (field: MessageField) => errors.some((error) => error.field === field);
  return {
    errors: lost ? [lost] : errors,
    // A field with errors is rewritten anyway.
    warnings: [
      ...own.flatMap((field) => (isWrong(field) ? [] : fieldWarnings(type, field, effective[field], inherited[field]))),
      ...(lost || errors.length > 0 || own.length === 0 ? [] : textWarnings(type, effective)),
    ],
  };
}

/**
 * Returns the first errors in the given fields alone, regardless of the inherited text.
 * @param ownHosts undefined: not known yet; addresses are checked later (`findAddressErrors`)
 */
export function findFieldErrors(type: MessageType, given: MessageTextFields, ownHosts?: OwnHosts): TextError[] {
  const found: TextError[] = [];
  for (const field of ownFields(type, given)) {
    if (found.length >= MAX_ERRORS) break;
    found.push(...fieldErrors(type, field, given[field] ?? "", ownHosts).slice(0, MAX_ERRORS - found.length));
  }
  return found;
}

/**
 * Returns forbidden addresses in a message that opens or protects accounts; empty for other messages.
 * @param most stops after that many errors
 */
export function findAddressErrors(
  type: MessageType,
  field: MessageField,
  text: string,
  ownHosts: OwnHosts,
  most = MAX_ERRORS,
): TextError[] {
  if (!isProtected(type)) return [];
  const kindOf = (name: string) => findVariable(type, name)?.valueKind ?? "text";
  return findAddresses(text, ownHosts, kindOf, most).map(({ kind, position }) => {
    return { ...ADDRESS_ERRORS[kind], field, position };
  });
}

const ADDRESS_ERRORS: Readonly<Record<FoundAddress["kind"], Pick<TextError, "id" | "message">>> = {
  foreign: {
    id: "message_text.foreign_address",
    message:
      "This message opens or protects accounts, so it names no addresses but this service's and those under domains that the organization has proven. If it is none, put a space after the dot.",
  },
  joined: {
    id: "message_text.joined_address",
    message:
      "This message opens or protects accounts, so no variable may be part of an address. Put a space between them, or use {{.URL}} alone.",
  },
};

const ownFields = (type: MessageType, given: MessageTextFields) => fieldsOf(type).filter((field) => given[field]);

/**
 * Rejects a text that shows neither its code nor its button after fallback, as readers could not act on it. Text
 * messages have no button, so their text must contain the code.
 */
export function checkCodeOrButton(type: MessageType, effective: MessageText): TextError | undefined {
  const id = "message_text.no_code_or_button";
  if (isShortMessage(type)) {
    if (showsVariable(type, effective.text, "Code")) return undefined;
    return { id, field: "text", position: 0, suggestion: "{{.Code}}", message: "The text must contain {{.Code}}." };
  }
  if (isVisible(type, effective.buttonText)) return undefined;
  if (definitionOf(type).opensBy === "button") {
    return {
      id,
      field: "buttonText",
      position: 0,
      message: "The button must have a text, as it is the only way to continue.",
    };
  }
  if (!carriesCode(type) || readFields(type).some((field) => showsVariable(type, effective[field], "Code")))
    return undefined;
  const message = "The message has neither a button nor {{.Code}}, so no one could act on it. Add one of them.";
  return { id, field: "text", position: 0, suggestion: "{{.Code}}", message };
}

function fieldErrors(type: MessageType, field: MessageField, text: string, ownHosts?: OwnHosts): TextError[] {
  const limit = limitOf(type, field);
  const length = codePoints(text);
  if (length > limit) {
    const message = `Use at most ${limit} characters; these are ${length}.`;
    return [{ id: "message_text.too_long", field, position: limit, limit, message }];
  }
  const characters = [
    unacceptable(
      field,
      text,
      /\p{Cs}/u,
      "message_text.lone_surrogate",
      "This is half of a character (a lone surrogate). Delete it.",
    ),
    unacceptable(
      field,
      text,
      /(?![\n\r\t])\p{Cc}/u,
      "message_text.control_character",
      "This is a control character. Delete it.",
    ),
  ];
  const braces: TextError[] = [];
  for (const segment of parseTemplate(text)) {
    if (braces.length >= MAX_ERRORS) break;
    const error = segmentError(type, field, segment);
    if (error) braces.push(error);
  }
  const addresses = ownHosts && braces.length < MAX_ERRORS ? findAddressErrors(type, field, text, ownHosts) : [];
  return [...characters, ...braces, ...addresses]
    .filter((error) => error !== undefined)
    .sort((one, other) => one.position - other.position)
    .slice(0, MAX_ERRORS);
}

function unacceptable(field: MessageField, text: string, what: RegExp, id: TextErrorId, message: string) {
  const index = text.search(what);
  return index < 0 ? undefined : { id, field, position: codePoints(text.slice(0, index)), message };
}

function segmentError(type: MessageType, field: MessageField, segment: Segment): TextError | undefined {
  if (segment.kind === "literal") return undefined;
  const { position } = segment;
  if (segment.kind === "fault") {
    const spelling = /[\p{L}_][\p{L}\p{N}_]*/u.exec(segment.text)?.[0];
    const suggestion = spelling === undefined ? undefined : nearestVariable(type, spelling);
    const error = {
      empty: ["message_text.empty_braces", "The braces are empty. Write a variable between them, or delete them."],
      unclosed: ["message_text.unclosed_braces", "These braces are not closed with }}."],
      syntax: ["message_text.template_syntax", "Write only a variable between the braces: {{.Name}}."],
    } as const;
    const [id, message] = error[segment.fault];
    return { id, field, position, message: message + hint(suggestion), ...(suggestion && { suggestion }) };
  }
  if (findVariable(type, segment.name)) return undefined;
  const elsewhere = typesWith(segment.name);
  const suggestion = nearestVariable(type, segment.name);
  const [id, message] =
    elsewhere.length > 0
      ? (["message_text.foreign_variable", `${type} messages have no {{.${segment.name}}}`] as const)
      : (["message_text.unknown_variable", `There is no variable {{.${segment.name}}}`] as const);
  const where = elsewhere.length > 0 ? `; it belongs to ${elsewhere.join(", ")}.` : ".";
  return { id, field, position, message: message + where + hint(suggestion), ...(suggestion && { suggestion }) };
}

function hint(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
}

/** The names of variables in other products or in plain language, in lower case without separators. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  email: "LastEmail",
  emailaddress: "LastEmail",
  mail: "LastEmail",
  phone: "LastPhone",
  phonenumber: "LastPhone",
  mobile: "LastPhone",
  name: "DisplayName",
  fullname: "DisplayName",
  user: "DisplayName",
  givenname: "FirstName",
  forename: "FirstName",
  familyname: "LastName",
  surname: "LastName",
  login: "PreferredLoginName",
  app: "ApplicationName",
  appname: "ApplicationName",
  application: "ApplicationName",
  otp: "Code",
  pin: "Code",
  token: "Code",
  verificationcode: "Code",
  onetimecode: "Code",
  link: "URL",
  expires: "Expiry",
  expiration: "Expiry",
};

/** Returns the variable that was most likely meant, as `{{.LastEmail}}`; undefined if none is similar enough. */
export function nearestVariable(type: MessageType, spelling: string): string | undefined {
  const wanted = plain(spelling);
  if (wanted.length === 0 || wanted.length > 40) return undefined;
  const other = Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined;
  const known = other === undefined ? undefined : findVariable(type, other);
  const near = variablesOf(type)
    .flatMap(({ name, aliases }) =>
      [name, ...aliases].map((written) => ({ name, steps: editDistance(wanted, plain(written)) })),
    )
    .sort((one, another) => one.steps - another.steps)[0];
  const most = Math.min(3, Math.floor(wanted.length / 3));
  if (near?.steps === 0) return `{{.${near.name}}}`;
  if (known) return `{{.${known.name}}}`;
  return near && near.steps <= most ? `{{.${near.name}}}` : undefined;
}

function plain(name: string): string {
  return name.normalize("NFKC").replace(/[_-]/g, "").toLowerCase();
}
