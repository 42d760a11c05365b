/**
 * Sample persons for previews and trials, with names that cause trouble. A greeting that works for "Ada" may be empty
 * for others, be written from right to left, or look like an attack.
 */
import type { MessageType } from "../message-types/table";
import { sampleValues } from "./variables";

export const SAMPLE_PERSONS = ["usual", "long_name", "no_name", "right_to_left", "markup"] as const;
export type SamplePerson = (typeof SAMPLE_PERSONS)[number];

export function isSamplePerson(name: string | undefined): name is SamplePerson {
  return (SAMPLE_PERSONS as readonly (string | undefined)[]).includes(name);
}

/** The values that differ from the catalogue's samples, by variable. */
const NAMES: Readonly<Record<SamplePerson, Readonly<Record<string, string>>>> = {
  usual: {},
  long_name: {
    UserName: "maximiliane-henriette.von-hohenstein-falkenberg",
    FirstName: "Maximiliane-Henriette Alexandra",
    LastName: "von Hohenstein-Falkenberg-Wallersdorf",
    NickName: "Maxi von und zu Falkenberg",
    DisplayName: "Prof. Dr. Maximiliane-Henriette Alexandra von Hohenstein-Falkenberg-Wallersdorf",
    LastEmail: "maximiliane-henriette.von-hohenstein-falkenberg@engineering.acme.test",
    VerifiedEmail: "maximiliane-henriette.von-hohenstein-falkenberg@engineering.acme.test",
    PreferredLoginName: "maximiliane-henriette.von-hohenstein-falkenberg@engineering.acme.test",
    LoginNames: "maximiliane-henriette.von-hohenstein-falkenberg@engineering.acme.test",
  },
  // As for real users without a name, the login name is shown (mail/person.ts).
  no_name: { FirstName: "", LastName: "", NickName: "", DisplayName: "ada@acme.test" },
  right_to_left: { FirstName: "ليلى", LastName: "حداد", NickName: "لولو", DisplayName: "ليلى حداد" },
  markup: {
    FirstName: "<b>Ada</b>",
    LastName: '{{.Code}} & "Lovelace"',
    NickName: "<script>alert(1)</script>",
    DisplayName: '<b>Ada</b> {{.Code}} & "Lovelace"',
  },
};

/** Returns the sample values for that person. @param languages see `sampleValues` */
export function personSamples(
  type: MessageType,
  person: SamplePerson = "usual",
  languages: readonly string[] = [],
): Record<string, string> {
  return { ...sampleValues(type, languages), ...NAMES[person] };
}
