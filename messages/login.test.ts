import { describe, expect, it } from "vitest";
import {
  changedTranslator,
  languageOfWord,
  loginMessages,
  loginTranslator,
  markedTranslator,
  mixedTranslator,
} from "./login";

// In Icelandic, 21 has the singular form: in an English sentence, that rule would give "one minute".
const writing = { locale: "is", base: "en" } as const;
const messages = { "signIn.title": "Innskráning {n, number}" };

describe("The words of an added language", () => {
  it("have the numbers of the language they are written in: their own or the base", () => {
    const t = changedTranslator(writing, { version: "is", messages });
    expect(t("signIn.title", { n: 1234.5 } as never)).toBe("Innskráning 1.234,5");
    expect(t("signIn.throttled", { minutes: 21 })).toBe("\u2066Too many tries. Try again in 21 minutes.\u2069");
    expect(t("signIn.throttled", { minutes: 1 })).toBe("\u2066Too many tries. Try again in one minute.\u2069");
    expect(t.rich("signIn.toApp", { app: "App", bdi: (inner) => inner })).toEqual("\u2066to continue to App\u2069");
  });

  it("keep their direction if they fall back to a language of the other direction", () => {
    const t = changedTranslator({ ...writing, locale: "ckb" }, { version: "ckb", messages });
    expect(t("signIn.forgotPassword")).toBe("\u2066Forgot your password?\u2069");
    expect(t("signIn.title", { n: 1 } as never)).not.toContain("\u2066");
  });

  it("report their language, for values in their sentences", () => {
    const t = changedTranslator(writing, { version: "is", messages });
    expect(languageOfWord(t, "signIn.title")).toBe("is");
    expect(languageOfWord(t, "account.passwordChanged")).toBe("en");
    expect(languageOfWord(loginTranslator("he"), "account.passwordChanged")).toBe("he");
  });

  it("are marked in the same way in a preview", () => {
    const t = markedTranslator(writing, messages, (path) => [`[${path}:`, "]"]);
    expect(t("signIn.throttled", { minutes: 21 })).toMatch(/^\u2066\[signIn\.throttled:.* 21 minutes\.\]\u2069$/);
    expect(t("signIn.title", { n: 2 } as never)).toBe("[signIn.title:Innskráning 2]");
  });
});

describe("Words that a built-in language lacks", () => {
  const gaps = new Set(["signIn.throttled", "signIn.toApp"]);
  const { throttled, toApp } = loginMessages.en.signIn;
  const german = { ...loginMessages.de, signIn: { ...loginMessages.de.signIn, throttled, toApp } };
  const t = mixedTranslator({ locale: "de", base: "de" }, german, {}, gaps);

  it("are English, with English plurals, and isolated by the character that pages mark as English", () => {
    expect(t("signIn.throttled", { minutes: 1 })).toBe("\u2068Too many tries. Try again in one minute.\u2069");
    expect(t.rich("signIn.toApp", { app: "App", bdi: (inner) => inner })).toEqual("\u2068to continue to App\u2069");
    expect(languageOfWord(t, "signIn.throttled")).toBe("en");
  });

  it("leave the language's own words as they are", () => {
    expect(t("signIn.forgotPassword")).toBe(loginMessages.de.signIn.forgotPassword);
    expect(languageOfWord(t, "signIn.forgotPassword")).toBe("de");
  });

  it("are replaced by the words of an administrator", () => {
    const changed = { "signIn.throttled": "Zu viele Versuche." };
    const own = { ...german, signIn: { ...german.signIn, throttled: "Zu viele Versuche." } };
    expect(mixedTranslator({ locale: "de", base: "de" }, own, changed, gaps)("signIn.throttled", { minutes: 1 })).toBe(
      "Zu viele Versuche.",
    );
  });
});
