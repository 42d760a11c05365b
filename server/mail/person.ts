/** The values of a message's variables that come from its recipient. Rule MESSAGE-1. */

import { momentText } from "../../messages/moment";
import { composeName } from "../../messages/person-name";
import { loginName } from "../directory/names";
import type { BuiltInLanguage, Language } from "../directory/policy/languages";
import type { VariableValues } from "../message-types/variable";
import type { RecipientRow } from "../storage/message/recipients";

/**
 * Returns values by the names of the catalogue (texts/variables.ts); missing ones are omitted.
 * @param base formats times if Intl does not support the language
 */
export function personValues(person: RecipientRow, language: Language, base: BuiltInLanguage): VariableValues {
  const signsInWith =
    person.primaryDomain === null ? person.userName : loginName(person.userName, person.primaryDomain);
  const verifiedEmail = person.isEmailVerified ? person.email : null;
  const composed = composeName({ ...person, preferredLanguage: person.preferredLanguage ?? language });
  const values: Record<string, string | null> = {
    UserName: person.userName,
    FirstName: person.firstName,
    LastName: person.lastName,
    NickName: person.nickName,
    // Never empty: a greeting without a name looks like fraud.
    DisplayName: person.displayName || composed || signsInWith,
    LastEmail: person.email,
    VerifiedEmail: verifiedEmail,
    LastPhone: person.phone,
    VerifiedPhone: person.isPhoneVerified ? person.phone : null,
    PreferredLoginName: signsInWith,
    LoginNames: [...new Set([signsInWith, verifiedEmail].filter((name) => name !== null))].join(", "),
    ChangeDate: momentText(person.changedAt, [language, base], timeZoneOf(person)),
    CreationDate: momentText(person.createdAt, [language, base], timeZoneOf(person)),
    UserID: person.id,
    OrgID: person.organizationId,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined]));
}

/** Returns the user's time zone if known, else UTC; times are shown with their zone. */
export function timeZoneOf(person: Pick<RecipientRow, "claims"> | undefined): string {
  const zone = person?.claims?.zoneinfo;
  return typeof zone === "string" ? zone : "UTC";
}
