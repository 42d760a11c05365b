import { describe, expect, it } from "vitest";
import { changedTranslator, languageOfWord, loginTranslator, markedTranslator } from "./login";

// In Icelandic 21 takes the form of one: asked for in an English sentence, it would say "one minute".
const writing = { locale: "is", base: "en" } as const;
const messages = { "signIn.title": "Innskráning {n, number}" };

describe("words of a language that was added", () => {
  it("have its own numbers where they were written in it, and those of the base where not", () => {
    const t = changedTranslator(writing, { version: "is", messages });
    expect(t("signIn.title", { n: 1234.5 } as never)).toBe("Innskráning 1.234,5");
    expect(t("signIn.throttled", { minutes: 21 })).toBe("\u2066Too many tries. Try again in 21 minutes.\u2069");
    expect(t("signIn.throttled", { minutes: 1 })).toBe("\u2066Too many tries. Try again in one minute.\u2069");
    expect(t.rich("signIn.toApp", { app: "App", bdi: (inner) => inner })).toEqual("\u2066to continue to App\u2069");
  });

  it("keep their direction where they fall back in a language that is written the other way", () => {
    const t = changedTranslator({ ...writing, locale: "ckb" }, { version: "ckb", messages });
    expect(t("signIn.forgotPassword")).toBe("\u2066Forgot your password?\u2069");
    expect(t("signIn.title", { n: 1 } as never)).not.toContain("\u2066");
  });

  it("say in which language they are, for what stands in their sentences", () => {
    const t = changedTranslator(writing, { version: "is", messages });
    expect(languageOfWord(t, "signIn.title")).toBe("is");
    expect(languageOfWord(t, "account.passwordChanged")).toBe("en");
    expect(languageOfWord(loginTranslator("he"), "account.passwordChanged")).toBe("he");
  });

  it("are marked alike in a preview", () => {
    const t = markedTranslator(writing, messages, (path) => [`[${path}:`, "]"]);
    expect(t("signIn.throttled", { minutes: 21 })).toMatch(/^\u2066\[signIn\.throttled:.* 21 minutes\.\]\u2069$/);
    expect(t("signIn.title", { n: 2 } as never)).toBe("[signIn.title:Innskráning 2]");
  });
});
