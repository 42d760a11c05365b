import { beforeAll, describe, expect, it } from "vitest";
import { discovery } from "../../oidc/endpoints/discovery";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { connectTestDatabase, testDatabaseUrl } from "../../testing/database";
import { setLoginText } from "../../texts/editing/set-login-text";
import { findPageTexts } from "../../texts/pages/resolve-page-texts";
import { resolveLanguage } from "../../texts/resolve";
import { invalidateWithOthers } from "../cache";
import { addLanguage, parseAddedLanguage, removeLanguage } from "./added-languages";
import { baseOf, findLanguage, knownLanguages, languageEntry } from "./languages";

const origin = { actor: "system" };

// The clocks do not advance, so cache entries never expire and only announcements empty the caches.
describe("languages that one of several processes adds or removes (rule TEXT-13)", () => {
  let writer: BareContext;
  let reader: BareContext;
  beforeAll(async () => {
    const url = await testDatabaseUrl("postgresql");
    writer = await bareContext("postgresql", await connectTestDatabase(url));
    reader = await bareContext("postgresql", await connectTestDatabase(url));
    for (const ctx of [writer, reader]) await invalidateWithOthers(ctx);
  });

  /** Returns what the other process uses for a language in pages, mails and discovery. */
  async function seen(tag: string) {
    const language = await findLanguage(reader, tag);
    const { body } = await discovery(reader)();
    return {
      isKnown: language !== undefined,
      isOffered: (await knownLanguages(reader)).allowedEntries.some((entry) => entry.tag === tag),
      isPublished: JSON.parse(body).ui_locales_supported.includes(tag),
      writtenTo: (await resolveLanguage(reader, { preferred: tag })).language,
      called: language && (await languageEntry(reader, language)).endonym,
    };
  }
  const unknown = { isKnown: false, isOffered: false, isPublished: false, writtenTo: "en", called: undefined };
  const known = (called: string) => ({ isKnown: true, isOffered: true, isPublished: true, writtenTo: "ckb", called });

  it("are added, renamed and removed in the other processes at once", async () => {
    expect(await seen("ckb")).toEqual(unknown);
    await addLanguage({ ...writer, origin }, { tag: "ckb" });
    expect(await seen("ckb")).toEqual(known("کوردیی ناوەندی"));
    await addLanguage({ ...writer, origin }, { tag: "ckb", name: "سۆرانی" });
    expect(await seen("ckb")).toEqual(known("سۆرانی"));
    await removeLanguage({ ...writer, origin }, "ckb");
    expect(await seen("ckb")).toEqual(unknown);
  });

  it("cannot be built-in ones under any tag", () => {
    for (const tag of ["nb", "no", "NOR", "iw", "cmn", "tl"]) {
      expect(parseAddedLanguage({ tag }), tag).toMatchObject({ id: "language.built_in" });
    }
    expect(parseAddedLanguage({ tag: "nn" })).toMatchObject({ tag: "nn" });
  });

  it("have the texts that another process has written, only while the language exists", async () => {
    await addLanguage({ ...writer, origin }, { tag: "cy" });
    const language = await findLanguage(reader, "cy");
    if (!language) throw new Error("not known");
    const title = async () => (await findPageTexts(reader, language, undefined))?.messages["home.title"];
    expect(await title()).toBeUndefined();
    const words = { home: { title: "Hafan" } };
    const change = { organizationId: undefined, language: "cy", words };
    expect(await setLoginText({ ...writer, origin }, change)).toMatchObject({ details: { sequence: "1" } });
    expect(await title()).toBe("Hafan");
    expect(await baseOf(reader, language)).toBe("en");
    await removeLanguage({ ...writer, origin }, "cy");
    expect(await findLanguage(reader, "cy")).toBeUndefined();
    await addLanguage({ ...writer, origin }, { tag: "cy" });
    expect(await title()).toBe("Hafan");
  });
});
