/** An LDAP directory with a few people, in Debian's slapd. */
import { createPrivateKey } from "node:crypto";
import { startSlapd } from "../../scripts/slapd.mjs";
import { CERTIFICATE, KEY } from "./certificate";

const DIRECTORY_PASSWORD = "the directory's own password";
/** The password of every person in it. */
export const PERSON_PASSWORD = "correct horse of the directory";

const BASE = "dc=acme,dc=test";
const PEOPLE = `ou=people,${BASE}`;
/** What slapd's overlay would write in `memberOf` is given, as entries are loaded while slapd does not run. */
const person = (uid: string, ...more: string[]) =>
  [
    `dn: uid=${uid.replaceAll("\\", "\\\\")},${PEOPLE}`,
    ...["inetOrgPerson", "adUser"].map((name) => `objectClass: ${name}`),
    `uid: ${uid}`,
    "sn: Person",
    `cn: ${uid} Person`,
    `userPassword: ${PERSON_PASSWORD}`,
    ...more,
  ].join("\n");

const LDIF = [
  `dn: ${BASE}\nobjectClass: dcObject\nobjectClass: organization\no: ACME\ndc: acme`,
  `dn: ${PEOPLE}\nobjectClass: organizationalUnit\nou: people`,
  person(
    "grace",
    ...[
      `memberOf: cn=captains,${BASE}`,
      "mail: grace@navy.test",
      "givenName: Grace",
      "displayName: Grace Person",
      "preferredLanguage: de-DE",
    ],
    ...["sAMAccountName: GHOPPER", `objectGUID:: ${Buffer.from([...Array(16).keys()]).toString("base64")}`],
  ),
  person("star*name", "mail: star@navy.test"),
  person("paren(name)\\x", "mail: paren@navy.test"),
  person("twin1", "mail: twins@navy.test"),
  person("twin2", "mail: twins@navy.test"),
  `dn: cn=captains,${BASE}\nobjectClass: groupOfNames\ncn: captains\nmember: uid=grace,${PEOPLE}`,
  `dn: ou=elsewhere,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ldap://evil.test/${BASE}`,
].join("\n\n");

export function startDirectory() {
  const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" }) as string;
  return startSlapd({ ldif: LDIF, password: DIRECTORY_PASSWORD, certificate: CERTIFICATE, key });
}

/** The settings of that directory, as the API takes them. */
export const directorySettings = (servers: string[]) => ({
  servers,
  baseDn: BASE,
  bindDn: `cn=admin,${BASE}`,
  bindPassword: DIRECTORY_PASSWORD,
  userObjectClasses: ["inetOrgPerson"],
  userFilters: ["uid", "mail", "sAMAccountName"],
  rootCa: CERTIFICATE,
  attributes: {
    idAttribute: "entryUUID",
    firstNameAttribute: "givenName",
    lastNameAttribute: "sn",
    displayNameAttribute: "displayName",
    preferredUsernameAttribute: "uid",
    emailAttribute: "mail",
    preferredLanguageAttribute: "preferredLanguage",
  },
});
