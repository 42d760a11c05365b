import { describe, expect, it } from "vitest";
import { BUILT_IN_LANGUAGES } from "../../directory/policy/languages";
import { LOGIN_TEXT_GROUPS, pageTextsOf } from "./page-texts";

describe("the page texts", () => {
  // The words that can be changed are read from English alone.
  it.each(BUILT_IN_LANGUAGES)("that can be changed are the same in %s as in English", (language) => {
    const offered = Object.entries(LOGIN_TEXT_GROUPS).flatMap(([group, keys]) => keys.map((key) => `${group}.${key}`));
    expect([...pageTextsOf(language).keys()].sort()).toEqual(offered.sort());
  });
});
