import { describe, expect, it } from "vitest";
import {
  BLANK,
  changedFields,
  type ExplainAnswer,
  fieldState,
  filledValues,
  merge,
  proposeMerge,
  savedTextOf,
  textInForce,
} from "./text-state";

const explained = {
  type: "init",
  language: { requested: "ckb", used: "ckb", builtIn: "de", match: "exact", from: "user" },
  fields: {
    subject: { text: "O", layer: "organization", organization: "O", instance: "I", builtIn: "B" },
    title: { text: "I", layer: "instance", instance: "I", builtIn: "B" },
    text: { text: "B", layer: "built_in", builtIn: "B" },
    greeting: { text: "O", layer: "organization", organization: "O", builtIn: "B", builtInThen: "A" },
  },
  details: { sequence: "4", changeDate: "2026-01-02T03:04:05.678Z" },
} as ExplainAnswer;

describe("The state of a text", () => {
  it("prefers the organization's text, then the instance's, then the built-in one", () => {
    const saved = savedTextOf("organization", explained);
    expect(saved).toEqual({
      own: { subject: "O", greeting: "O" },
      inherited: {
        subject: { text: "I", language: "ckb", layer: "instance" },
        title: { text: "I", language: "ckb", layer: "instance" },
        text: { text: "B", language: "de", layer: "built_in" },
        greeting: { text: "B", language: "de", layer: "built_in" },
      },
      outdated: { greeting: { before: "A", now: "B" } },
      sequence: "4",
      changeDate: "2026-01-02T03:04:05.678Z",
    });
    expect((["subject", "title", "text"] as const).map((field) => fieldState(saved.own, saved, field))).toEqual([
      "customized",
      "instance",
      "built_in",
    ]);
    expect(textInForce(saved.own, saved, "title")).toBe("I");
  });

  it("ignores organizations at instance level and prefers the instance's text to the built-in one", () => {
    const saved = savedTextOf("instance", { ...explained, details: {} });
    expect(saved.own).toEqual({ subject: "I", title: "I" });
    expect(saved.inherited.subject).toEqual({ text: "B", language: "de", layer: "built_in" });
    expect(saved.sequence).toBe("0");
  });

  it("distinguishes a field left empty on purpose from one that is not set", () => {
    const saved = savedTextOf("organization", explained);
    expect(fieldState({ title: BLANK }, saved, "title")).toBe("blank");
    expect(fieldState({ title: "" }, saved, "title")).toBe("instance");
    expect(filledValues({ title: BLANK, text: "", subject: "S" })).toEqual({ title: BLANK, subject: "S" });
  });

  it("counts a missing and an empty field as the same", () => {
    expect(changedFields({ title: "" }, {})).toEqual([]);
    expect(changedFields({ title: "a" }, { title: "b", text: "c" })).toEqual(["title", "text"]);
  });
});

describe("Changes of one text by two users", () => {
  const base = { subject: "s", title: "t", text: "x" };
  const mine = { subject: "mine", title: "t", text: "x mine" };
  const theirs = { subject: "s", title: "theirs", text: "x theirs", greeting: "g" };

  it("keep fields that only one of them changed, and propose mine if both did", () => {
    expect(proposeMerge(base, mine, theirs)).toEqual({
      subject: "mine",
      title: "theirs",
      text: "mine",
      greeting: "theirs",
    });
  });

  it("become the text that was chosen field by field", () => {
    expect(merge(mine, theirs, { subject: "mine", title: "theirs", text: "theirs", greeting: "mine" })).toEqual({
      subject: "mine",
      title: "theirs",
      text: "x theirs",
    });
  });
});
