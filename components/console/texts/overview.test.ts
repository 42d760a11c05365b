import { describe, expect, it } from "vitest";
import { badgeOf, customizedLanguages, messageOf, type TextsOverview, withCustomized } from "./overview";

const overview: TextsOverview = {
  languages: ["de", "en", "fr"],
  messages: [
    {
      type: "init",
      isShortMessage: false,
      fields: [
        { name: "subject", limit: 500 },
        { name: "text", limit: 10_000 },
      ],
      languages: [
        { language: "de", organization: ["subject"], instance: ["subject", "text"] },
        { language: "fr", organization: [], instance: ["text"] },
      ],
    },
  ],
};
const init = messageOf(overview, "init");

describe("The badge of a language", () => {
  it("shows the level of the text, and how many of its fields are set there", () => {
    expect(badgeOf(init, "organization", "de")).toEqual({ state: "customized", count: 1, of: 2 });
    expect(badgeOf(init, "organization", "fr")).toEqual({ state: "instance", count: 1, of: 2 });
    expect(badgeOf(init, "organization", "en")).toEqual({ state: "built_in", count: 0, of: 2 });
    expect(badgeOf(init, "instance", "fr")).toEqual({ state: "customized", count: 1, of: 2 });
  });

  it("is updated after saving and resetting", () => {
    const address = { type: "init", language: "en" } as const;
    const saved = withCustomized(overview, "organization", address, { text: "T", subject: "" });
    expect(badgeOf(messageOf(saved, "init"), "organization", "en")).toEqual({ state: "customized", count: 1, of: 2 });
    expect(customizedLanguages(messageOf(saved, "init"), "organization")).toBe(2);
    expect(withCustomized(saved, "organization", address, {})).toEqual(overview);
    const reset = withCustomized(overview, "organization", { type: "init", language: "de" }, {});
    expect(badgeOf(messageOf(reset, "init"), "organization", "de").state).toBe("instance");
  });
});
