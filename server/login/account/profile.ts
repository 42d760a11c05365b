/**
 * A user's own profile: names, language, time zone. It does not affect who can sign in, so it needs no fresh
 * authentication; applications see changes with their next token.
 */

import { composeName, isComposedName } from "../../../messages/person-name";
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { characters, MAX_NAME_LENGTH, name as nameRule, timeZone as timeZoneRule } from "../../directory/fields";
import { changePerson, type PersonFields } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import { type ClaimsRow, findClaimsRow } from "../../storage/user/claims";
import { readUser } from "../../storage/user/user";
import type { AccountOwner } from "./owner";

/** The values as typed; empty means no value. */
export interface ProfileForm {
  givenName: string;
  familyName: string;
  nickname: string;
  displayName: string;
  /** A BCP 47 tag. */
  language: string;
  /** An IANA name. */
  timeZone: string;
}

export type ProfileField = keyof ProfileForm;
export type ProfileProblem = "invalid" | "too-long";
export type ProfileProblems = Partial<Record<ProfileField, ProfileProblem>>;

const NAMES = ["givenName", "familyName", "nickname", "displayName"] as const;

/** Returns the profile as its form shows it. */
export async function readProfile(ctx: Context, userId: string): Promise<ProfileForm> {
  const row = await findClaimsRow(ctx.db, userId);
  const displayName = row?.displayName ?? "";
  const isComposed = row !== undefined && isComposedName(row.displayName, row);
  return {
    givenName: row?.firstName ?? "",
    familyName: row?.lastName ?? "",
    nickname: row?.nickName ?? "",
    // A name composed of the others is updated with them.
    displayName: isComposed ? "" : displayName,
    language: row?.preferredLanguage ?? "",
    timeZone: zoneOf(row?.claims) ?? "",
  };
}

/**
 * Returns the time zone for the display of times: that of the browser, else that of the profile, else UTC.
 * @param browser the zone of the user's browser
 */
export async function findTimeZone(ctx: Context, userId: string, browser: string | undefined): Promise<string> {
  return browser ?? zoneOf((await findClaimsRow(ctx.db, userId))?.claims) ?? "UTC";
}

function zoneOf(claims: ClaimsRow["claims"] | undefined): string | undefined {
  const zone = timeZoneRule.safeParse(claims?.zoneinfo);
  return zone.success ? zone.data : undefined;
}

export type ChangeProfileOutcome = { kind: "refused"; problems: ProfileProblems } | { kind: "saved" };

/**
 * Changes the profile.
 * @param choices the languages and time zones that the form offers; the stored values are allowed as well
 */
export async function changeProfile(
  ctx: Context,
  { user }: AccountOwner,
  form: ProfileForm,
  choices: { languages: readonly string[]; timeZones: readonly string[] },
  cause: Cause,
): Promise<ChangeProfileOutcome> {
  const stored = await readProfile(ctx, user.id);
  const problems = problemsOf(form, {
    languages: ["", stored.language, ...choices.languages],
    timeZones: ["", stored.timeZone, ...choices.timeZones],
  });
  if (Object.keys(problems).length > 0) return { kind: "refused", problems };
  await changeDirectory(ctx, async (ctx) => {
    const row = await readUser(ctx.tx, user.id);
    if (!row) return;
    await changePerson({ ...ctx, origin: { actor: user.id, ...cause } }, row, fieldsOf(form, row.claims));
  });
  return { kind: "saved" };
}

function problemsOf(form: ProfileForm, known: { languages: string[]; timeZones: string[] }): ProfileProblems {
  const problems: ProfileProblems = {};
  for (const field of NAMES) {
    const typed = form[field].trim();
    if (typed === "" || nameRule.safeParse(typed).success) continue;
    problems[field] = characters(typed) > MAX_NAME_LENGTH ? "too-long" : "invalid";
  }
  if (!known.languages.includes(form.language)) problems.language = "invalid";
  if (!known.timeZones.includes(form.timeZone)) problems.timeZone = "invalid";
  return problems;
}

function fieldsOf(form: ProfileForm, claims: unknown): PersonFields {
  const typed = (field: ProfileField) => form[field].trim() || null;
  const [firstName, lastName] = [typed("givenName"), typed("familyName")];
  const { zoneinfo: _, ...others } = (claims ?? {}) as Record<string, string>;
  const zone = typed("timeZone");
  return {
    firstName,
    lastName,
    nickName: typed("nickname"),
    displayName: typed("displayName") ?? composeName({ firstName, lastName, preferredLanguage: typed("language") }),
    preferredLanguage: typed("language"),
    // Without stored claims and without a zone, the column is left unchanged.
    ...((claims || zone) && { claims: { ...others, ...(zone !== null && { zoneinfo: zone }) } }),
  };
}
