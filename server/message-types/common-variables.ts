/** The variables that every message has; they describe the recipient. */
import { momentVariable, type Variable, variable } from "./variable";

const name = { isName: true } as const;
const mailbox = { valueKind: "mailbox" } as const;
const optional = { mayBeEmpty: true } as const;

/**
 * The thirteen of rule MESSAGE-1, then two more that texts written for services of this kind use. Both `UserName` and
 * `Username` are accepted, as both spellings are in use.
 */
export const COMMON: readonly Variable[] = [
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
  momentVariable("ChangeDate", "When the person's data last changed.", Date.UTC(2025, 2, 14, 9, 26)),
  momentVariable("CreationDate", "When the account was created.", Date.UTC(2024, 10, 2, 15, 40)),
  variable("UserID", "The ID of the account.", "01890a5d-ac96-774b-bcce-b302099a8057", { ...name, ...mailbox }),
  variable("OrgID", "The ID of the account’s organization.", "01890a5d-ac96-774b-bcce-b30209c1f2a4", {
    ...name,
    ...mailbox,
  }),
];
