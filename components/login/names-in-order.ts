// The fields of a user's two names, in the order of the language of the page.
import { isFamilyFirst } from "../../messages/person-name";

const GIVEN = { name: "givenName", label: "common.givenName", autoComplete: "given-name" } as const;
const FAMILY = { name: "familyName", label: "common.familyName", autoComplete: "family-name" } as const;

export function namesInOrder(locale: string): readonly (typeof GIVEN | typeof FAMILY)[] {
  return isFamilyFirst(locale) ? [FAMILY, GIVEN] : [GIVEN, FAMILY];
}
