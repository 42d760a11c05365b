/**
 * The people a message is tried out with: their names are what breaks texts. A greeting that looks right for "Ada" may
 * be empty, turn its line round or look like an attack for somebody else.
 */
import type { MessageType } from "./kinds";
import { sampleValues } from "./variables";

export const SAMPLE_PERSONS = ["usual", "long_name", "no_name", "right_to_left", "markup"] as const;
export type SamplePerson = (typeof SAMPLE_PERSONS)[number];

export function isSamplePerson(name: string | undefined): name is SamplePerson {
  return (SAMPLE_PERSONS as readonly (string | undefined)[]).includes(name);
}

/** What differs from the catalogue's samples, by variable. */
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
  // As for a real person: without any name the login name is shown (mail/person.ts).
  no_name: { FirstName: "", LastName: "", NickName: "", DisplayName: "ada@acme.test" },
  right_to_left: { FirstName: "ليلى", LastName: "حداد", NickName: "لولو", DisplayName: "ليلى حداد" },
  markup: {
    FirstName: "<b>Ada</b>",
    LastName: '{{.Code}} & "Lovelace"',
    NickName: "<script>alert(1)</script>",
    DisplayName: '<b>Ada</b> {{.Code}} & "Lovelace"',
  },
};

/** Values to look at for that person. */
export function personSamples(type: MessageType, person: SamplePerson = "usual"): Record<string, string> {
  return { ...sampleValues(type), ...NAMES[person] };
}
