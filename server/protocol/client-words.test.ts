import { describe, expect, it } from "vitest";
import { clientWords } from "./client-words";

const client = {
  appName: "Notes",
  selfDescription: {
    "client_name#ja": "ノート",
    "client_name#de-CH": "Notizen",
    policy_uri: "https://notes.test/privacy",
    "policy_uri#ja": "https://notes.test/ja/privacy",
    "tos_uri#fr": "https://notes.test/fr/cgu",
  },
};

describe("a client's own words (OpenID Connect Dynamic Client Registration §2.1)", () => {
  it.each([
    ["ja", { name: "ノート", policyUri: "https://notes.test/ja/privacy" }],
    ["ja-JP", { name: "ノート", policyUri: "https://notes.test/ja/privacy" }],
    ["de", { name: "Notizen", policyUri: "https://notes.test/privacy" }],
    ["fr", { name: "Notes", policyUri: "https://notes.test/privacy", termsUri: "https://notes.test/fr/cgu" }],
    ["en", { name: "Notes", policyUri: "https://notes.test/privacy" }],
  ])("are those of the reader's language, else those without a language: %s", (locale, words) => {
    expect(clientWords(client, locale)).toEqual(words);
  });

  it("are the name alone for an app that an administrator registered", () => {
    expect(clientWords({ appName: "Shop" }, "ja")).toEqual({ name: "Shop" });
  });
});
