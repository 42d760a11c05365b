/** Suggests the variable that was most likely meant by an unknown name ("Did you mean"). */
import type { MessageType } from "../message-types/table";
import { editDistance } from "../protocol/edit-distance";
import { findVariable, variablesOf } from "./variables";

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

/** Returns the variable with its braces, as in `{{.LastEmail}}`; undefined if none is similar enough. */
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
