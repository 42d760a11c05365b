import { describe, expect, it } from "vitest";
import { consoleLocales, consoleMessages } from "../../../messages/console";
import { catalogue, type EventType } from "../../../server/events/catalogue";
import type { AuditEvent } from "./event";
import { groups } from "./groups";
import { GAPS, type Gap, partsOf, recorded, sentenceKeys } from "./sentence";

const TYPES = Object.keys(catalogue) as EventType[];
/** The field of an event that fills a gap; actor and object are known for every event. */
const FILLED_BY: Partial<Record<Gap, string>> = {
  person: "userId",
  project: "projectId",
  app: "clientId",
  domain: "domain",
  role: "roleKey",
};

/** Returns the text of a key with dots; undefined if none exists. */
const textOf = (tag: string, key: string): unknown =>
  key
    .split(".")
    .reduce<unknown>((texts, name) => (texts as Record<string, unknown> | undefined)?.[name], consoleMessages[tag]);

const event = (type: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  position: "1",
  type,
  aggregate: { type: "user", id: "u1", resourceOwner: "o1" },
  sequence: "1",
  creationDate: "2026-11-01T00:00:00Z",
  actor: { id: "u2", kind: "human" },
  mentions: [],
  changes: [],
  ...more,
});

describe("The name of an event type", () => {
  it("exists for every type in English", () => {
    const names = TYPES.map((type) => textOf("en", `history.by.event.${type}`));
    expect(TYPES.filter((_, index) => typeof names[index] !== "string")).toEqual([]);
    expect(new Set(names).size).toBe(TYPES.length);
  });
});

describe("The sentence of an event", () => {
  it("exists for every type in every language, with gaps that such an event fills", () => {
    const wrong: string[] = [];
    for (const tag of consoleLocales) {
      for (const type of TYPES) {
        for (const key of [`history.by.sentence.${type}`, `history.by.own.${type}`]) {
          const text = textOf(tag, key);
          if (typeof text !== "string") {
            if (text !== undefined || key.includes(".sentence.")) wrong.push(`${tag} ${key}: no text`);
            continue;
          }
          const gaps = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as Gap);
          const fields: readonly string[] = catalogue[type];
          for (const gap of gaps) {
            const field = FILLED_BY[gap];
            if (!GAPS.includes(gap)) wrong.push(`${tag} ${key}: {${gap}} is no gap`);
            else if (field !== undefined && !fields.includes(field)) wrong.push(`${tag} ${key}: no {${gap}}`);
          }
          if (new Set(gaps).size < gaps.length) wrong.push(`${tag} ${key}: says something twice`);
          if (gaps.length === 0 && type !== "instance.added") wrong.push(`${tag} ${key}: about nobody`);
        }
      }
      for (const group of groups) if (typeof textOf(tag, `history.by.group.${group}`) !== "string") wrong.push(group);
    }
    expect(wrong).toEqual([]);
  });

  it("refers to the user's own account if actor and object are equal, and to redirect addresses if nothing else changed", () => {
    expect(sentenceKeys(event("user.passkey.added"))).toEqual(["history.by.sentence.user.passkey.added"]);
    const own = event("user.passkey.added", { actor: { id: "u1", kind: "human" } });
    expect(sentenceKeys(own)[0]).toBe("history.by.own.user.passkey.added");
    const changes = [{ field: "settings", from: { redirectUris: [] }, to: { redirectUris: ["https://a.test"] } }];
    const app = { type: "app", id: "u2", resourceOwner: "o1" };
    expect(sentenceKeys(event("app.changed", { aggregate: app, changes }))).toEqual([
      "history.by.variant.redirects",
      "history.by.sentence.app.changed",
    ]);
  });

  it("is split into texts and gaps", () => {
    const pattern = "{actor} made {person} a manager";
    expect(partsOf(pattern)).toEqual([{ gap: "actor" }, { text: " made " }, { gap: "person" }, { text: " a manager" }]);
    expect(partsOf("{nobody} left")).toEqual([{ text: "{nobody}" }, { text: " left" }]);
    expect(
      recorded(
        event("x", {
          changes: [
            { field: "domain", to: "a.test" },
            { field: "n", to: 1 },
          ],
        }),
        "n",
      ),
    ).toBeUndefined();
  });
});
