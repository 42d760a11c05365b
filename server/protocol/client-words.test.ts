import { describe, expect, it } from "vitest";
import { clientLogo, clientWords } from "./client-words";

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

describe("the logo of a client", () => {
  const logoOf = (logo: unknown, more: object = {}) =>
    clientLogo(
      {
        clientId: "c1",
        origin: "registration",
        standing: "registered",
        redirectUris: ["https://notes.test/cb", "http://127.0.0.1/cb", "com.example.app:/cb"],
        selfDescription: { logo_uri: logo, "logo_uri#ja": "https://notes.test/ja.png" },
        ...more,
      },
      "en",
    );
  const document = { origin: "document", clientId: "https://docs.test/client.json" };

  it.each<[string, unknown, object, string | undefined]>([
    ["on the host of a redirect URI", "https://notes.test/l.png", {}, "https://notes.test/l.png"],
    ["on another host", "https://bank.test/l.png", {}, undefined],
    ["on another port of its host", "https://notes.test:8443/l.png", {}, undefined],
    ["on a loopback address", "https://127.0.0.1/l.png", {}, undefined],
    ["without https", "http://notes.test/l.png", {}, undefined],
    ["that is no text", 1, {}, undefined],
    [
      "on another host, of a trusted client",
      "https://bank.test/l.png",
      { standing: "trusted" },
      "https://bank.test/l.png",
    ],
    ["on the host of the document", "https://docs.test/l.png", document, "https://docs.test/l.png"],
    ["on the host of a redirect URI of a document", "https://notes.test/l.png", document, undefined],
  ])("is shown only from its own host: %s", (_, logo, more, address) => {
    expect(logoOf(logo, more)).toBe(address);
  });

  it("is that of the reader's language", () => {
    const client = { clientId: "c1", origin: "registration", standing: "registered" } as const;
    const selfDescription = { logo_uri: "https://notes.test/l.png", "logo_uri#ja": "https://notes.test/ja.png" };
    const given = { ...client, selfDescription, redirectUris: ["https://notes.test/cb"] };
    expect([clientLogo(given, "ja"), clientLogo(given, "fr")]).toEqual([
      "https://notes.test/ja.png",
      "https://notes.test/l.png",
    ]);
  });
});
