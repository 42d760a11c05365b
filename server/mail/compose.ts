/**
 * Composes a message for a recipient or, as a preview, without one: chooses the text, the language, the values and the
 * button's link. Sending, previews and trials all use the same function. Links begin with BASE_URL, so that no request
 * header or stored value can redirect them (attack: password reset poisoning). The only exception is the page that a
 * manager has requested for this code (directory/mailed-code/link-template.ts).
 */
import { gapsOf } from "../../messages/gaps";
import { type Direction, directionOf } from "../../messages/locales";
import type { FrameMessages } from "../../messages/mail";
import { momentText } from "../../messages/moment";
import type { Context } from "../context";
import type { Brand } from "../directory/branding/branding";
import { findInstance } from "../directory/instance";
import { OPERATOR } from "../directory/member/answerable";
import { type AccountHolder, mayOpenAccount } from "../directory/member/privileges";
import { type BuiltInLanguage, baseOf, isBuiltIn, type Language, languageEntry } from "../directory/policy/languages";
import type { MessagePayload, SecretPart } from "../message-types/message";
import { definitionOf, type MessageType } from "../message-types/table";
import type { VariableValues } from "../message-types/variable";
import type { FactorKind } from "../protocol/second-factor";
import { hasAnyRole } from "../storage/member/membership";
import { findRecipient, type RecipientRow } from "../storage/message/recipients";
import { findOrganizationName } from "../storage/organization/organization";
import { builtInText, emailStrings, type MessageText } from "../texts/built-in";
import { isShortMessage, MESSAGE_FIELDS, type MessageTextFields } from "../texts/message-text";
import { readResolvedText, resolveLanguage } from "../texts/resolve";
import { personSamples, type SamplePerson } from "../texts/sample-persons";
import { carriesCode, opensAccount, withoutLinks } from "../texts/variables";
import { brandingOf, emailBranding } from "./branding";
import { resetOf, secretOf, secretPath, secretUrl, shownSecret } from "./message-secret";
import { noticePartOf } from "./notice-part";
import { personValues, timeZoneOf } from "./person";
import { type RenderedParts, renderMessage } from "./render";

export interface MessageWanted {
  type: MessageType;
  /**
   * The organization whose texts and branding are used: by default the recipient's; without a recipient, the
   * instance's.
   */
  organizationId?: string;
  /** The recipient; without one the sample values of the catalogue are shown. */
  userId?: string;
  /**
   * The user whose account the message opens (routes.ts): an organization's text and branding are only used if
   * permitted for this user. Undefined for trials and previews without a recipient.
   */
  holder?: AccountHolder;
  payload?: MessagePayload;
  /** Epoch milliseconds. */
  expiresAt?: number;
  /** Overrides the recipient's language. */
  language?: Language;
  /** Replaces the fields in force, for unsaved texts; an empty field falls back to the inherited text. */
  fields?: MessageTextFields;
  /** Marks the message as a trial. */
  isTest?: boolean;
  /** Uses sample values for data that only a real occasion provides; for previews. */
  withSamples?: boolean;
  /** Replaces the recipient with this sample person, in trials and previews. */
  sample?: SamplePerson;
  /** An unpublished branding, for previews. */
  brand?: Brand;
  /** Hides codes, for readers who may know that a message was sent but must not be able to use its code. */
  withoutCodes?: boolean;
}

export interface ComposedMessage extends RenderedParts {
  type: MessageType;
  language: Language;
  /** The values of the type's own variables, by name in lower camel case. */
  args: Readonly<Record<string, string>>;
}

/** Why a message cannot be composed. */
export type Uncomposable = "no such user" | "code sealed with an unknown key";

export async function composeMessage(ctx: Context, wanted: MessageWanted): Promise<ComposedMessage | Uncomposable> {
  const { type, userId, fields = {} } = wanted;
  const person = await personOf(ctx, wanted);
  if (userId !== undefined && !person) return "no such user";
  const secret = secretOf(ctx, wanted, isTrial(wanted, person));
  if (secret === null) return "code sealed with an unknown key";
  const organizationId = await organizationOf(ctx, wanted, person);
  const preferred = person?.preferredLanguage;
  const language = wanted.language ?? (await resolveLanguage(ctx, { preferred, organizationId })).language;
  const spokenFor = await speaks(ctx, wanted, organizationId);
  const inForce = await readResolvedText(ctx, { type, language, organizationId: spokenFor, holder: wanted.holder });
  const manages = person !== undefined && (await hasAnyRole(ctx.db, person.id));
  const { base, direction } = await writingOf(ctx, language);
  const filledIn = (of: Language) => fillIn(ctx, wanted, { language: of, base, person, secret, manages });
  const { values, buttonUrl } = filledIn(language);
  const text = Object.fromEntries(
    MESSAGE_FIELDS.map((field) => [field, fields[field] || inForce[field].text]),
  ) as MessageText;
  const falling = partsFallingBack(type, language, base);
  const fallback = falling && {
    ...falling,
    fields: new Set([...falling.fields].filter((field) => text[field] === builtInText(type, base)[field])),
    values: filledIn(falling.language).values,
  };
  // A trial has a sample time, so that its preview shows the expiry line of a real mail.
  const until = wanted.expiresAt ?? (isTrial(wanted, person) ? SAMPLE_EXPIRY : undefined);
  const rendered = renderMessage({
    type,
    language,
    direction,
    fields: text,
    values,
    fallback,
    branding: await brandingFor(ctx, wanted, spokenFor, await senderName(ctx, spokenFor, person)),
    frame: emailStrings(base),
    buttonUrl,
    // Only messages with a code state their expiry.
    expiry: secret && until !== undefined ? momentText(until, [base], timeZoneOf(person)) : undefined,
    reset: resetOf(ctx, wanted, secret),
    isTest: wanted.isTest,
    notice: noticePartOf(ctx, wanted, {
      time: (at) => momentText(at, [base], timeZoneOf(person)),
      isTrial: isTrial(wanted, person),
      language: base,
    }),
    ownHost: opensAccount(type) ? new URL(ctx.config.baseUrl).host : undefined,
  });
  return { ...rendered, type, language, args: argsOf(type, values) };
}

/**
 * Returns the built-in parts of a mail in another language than the mail: all of them for an added language, the
 * untranslated ones for a built-in language. Undefined if there are no such parts.
 */
function partsFallingBack(type: MessageType, language: Language, base: BuiltInLanguage) {
  const words = Object.keys(emailStrings(base)) as (keyof FrameMessages)[];
  if (!isBuiltIn(language)) return { language: base, fields: new Set(MESSAGE_FIELDS), words: new Set(words) };
  const gaps = gapsOf(language, "mail");
  if (gaps.size === 0) return undefined;
  return {
    language: "en" as const,
    fields: new Set(MESSAGE_FIELDS.filter((field) => gaps.has(`${type}.${field}`))),
    words: new Set(words.filter((word) => gaps.has(`frame.${word}`))),
  };
}

/** Returns the language of the built-in words, and the direction of the mail. */
async function writingOf(ctx: Context, language: Language): Promise<{ base: BuiltInLanguage; direction: Direction }> {
  if (isBuiltIn(language)) return { base: language, direction: directionOf(language) };
  const [base, { dir: direction }] = await Promise.all([baseOf(ctx, language), languageEntry(ctx, language)]);
  return { base, direction };
}

function argsOf(type: MessageType, values: VariableValues): Readonly<Record<string, string>> {
  const given = definitionOf(type).variables.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined ? [] : [[name.charAt(0).toLowerCase() + name.slice(1), value]];
  });
  return Object.fromEntries(given);
}

/** Returns the organization that the message belongs to; undefined: the instance. */
async function organizationOf(
  ctx: Context,
  wanted: MessageWanted,
  person: RecipientRow | undefined,
): Promise<string | undefined> {
  const id = wanted.organizationId ?? person?.organizationId;
  return id === undefined || id === (await findInstance(ctx)).id ? undefined : id;
}

/**
 * Returns the organization whose name, branding and texts the message has; undefined for the service's own. An
 * organization does not open the account of a user of another organization, even if it sends the message.
 */
async function speaks(
  ctx: Context,
  { holder }: MessageWanted,
  organizationId: string | undefined,
): Promise<string | undefined> {
  if (!holder || organizationId === undefined) return organizationId;
  return (await mayOpenAccount(ctx, { organizationId, changedBy: OPERATOR }, holder)) ? organizationId : undefined;
}

/** Returns the recipient; a user who is just registering is described by the message itself. */
async function personOf(
  ctx: Context,
  { userId, payload, organizationId = "" }: MessageWanted,
): Promise<RecipientRow | undefined> {
  if (userId !== undefined) return findRecipient(ctx.db, userId);
  const registrant = payload?.registrant;
  if (!registrant) return undefined;
  const now = ctx.clock();
  return {
    id: "",
    organizationId,
    organizationName: (await findOrganizationName(ctx.db, organizationId)) ?? new URL(ctx.config.baseUrl).hostname,
    primaryDomain: null,
    userName: registrant.email,
    nickName: null,
    displayName: null,
    isEmailVerified: false,
    phone: null,
    isPhoneVerified: false,
    claims: null,
    createdAt: now,
    changedAt: now,
    ...registrant,
  };
}

/** The sample of `{{.Expiry}}`, in epoch milliseconds. */
const SAMPLE_EXPIRY = Date.UTC(2025, 2, 14, 9, 31);

interface Circumstances {
  language: Language;
  /** The language of the words around the text. */
  base: BuiltInLanguage;
  person: RecipientRow | undefined;
  secret: SecretPart | undefined;
  /** Whether the recipient has any management role. */
  manages: boolean;
}

function fillIn(ctx: Context, wanted: MessageWanted, { language, base, person, secret, manages }: Circumstances) {
  const { type, payload = {}, expiresAt } = wanted;
  const { baseUrl } = ctx.config;
  const code = secret && shownSecret(secret, wanted);
  const { withoutButton, landsOn, loginHint, values: valuesOf } = definitionOf(type);
  const time = (at: number) => momentText(at, [language, base], timeZoneOf(person));
  const words = emailStrings(base);
  const factor = (kind: FactorKind | "passkey") => words[`${kind}Factor`];
  const landing = typeof landsOn === "function" ? landsOn(payload) : landsOn;
  const isBeside = resetOf(ctx, wanted, secret) !== undefined;
  const path =
    secret?.path && !isBeside ? secretPath(secret, wanted) : (landing ?? signInPath(manages, loginHint?.(payload)));
  const ownAddress = path.startsWith("/") ? `${baseUrl}${path}` : undefined;
  const address = secret?.url === undefined ? ownAddress : secretUrl(secret.url, wanted);
  const buttonUrl = withoutButton || isShortMessage(type) ? undefined : address;
  const own: VariableValues = {
    Code: carriesCode(type) ? code : undefined,
    Domain: new URL(baseUrl).hostname,
    Expiry: expiresAt === undefined ? undefined : time(expiresAt),
    URL: address,
    Origin: baseUrl,
    ...valuesOf?.(payload, { time, factor }),
  };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const samples = isTrial(wanted, person) ? personSamples(type, wanted.sample, [language, base]) : {};
  const described = wanted.sample === undefined && person ? personValues(person, language, base) : {};
  const values: VariableValues = { ...samples, ...described, ...given };
  return { values, buttonUrl };
}

/** Returns whether samples replace missing values. */
function isTrial({ isTest, withSamples }: MessageWanted, person: RecipientRow | undefined): boolean {
  return isTest === true || withSamples === true || !person;
}

/** Returns the path of the console for managers, else of the user's account. The login name is filled in. */
function signInPath(manages: boolean, loginHint: string | undefined): string {
  const page = manages ? "/console" : "/account";
  return loginHint === undefined ? page : `${page}?login_hint=${encodeURIComponent(loginHint)}`;
}

async function brandingFor(ctx: Context, { brand }: MessageWanted, organizationId: string | undefined, name: string) {
  return brand ? brandingOf(brand, name, ctx.config.baseUrl) : emailBranding(ctx, organizationId, name);
}

async function senderName(ctx: Context, organizationId: string | undefined, person: RecipientRow | undefined) {
  const isTheirs = organizationId !== undefined && organizationId === person?.organizationId;
  const name = isTheirs
    ? person.organizationName
    : organizationId !== undefined && (await findOrganizationName(ctx.db, organizationId));
  // Owners choose the name, and mail programs would turn a name like evil.test into a link.
  return (name && withoutLinks(name)) || new URL(ctx.config.baseUrl).hostname;
}
