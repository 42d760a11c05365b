import { describe, expect, it } from "vitest";
import type { SavedText } from "./text-state";
import { reduceTexts, type TextsAction, type TextsState } from "./texts-state";

type State = TextsState<string, string>;
type Action = TextsAction<string, string>;

const saved: SavedText = { own: { subject: "Old" }, inherited: {}, outdated: {}, sequence: "1", changeDate: undefined };
const first: State = {
  address: "a",
  overview: "",
  drafts: new Map(),
  queued: new Map(),
  outcome: undefined,
  conflict: undefined,
};
const stateAfter = (...actions: Action[]): State => actions.reduce(reduceTexts<string, string>, first);
const write = (subject: string): Action => ({ type: "edit", key: "a", saved, write: () => ({ subject }) });
const reset = { kind: "reset", address: "a", values: { subject: "Old" }, sequence: "2" } as const;

describe("The state of the editor of texts", () => {
  it("starts a draft from the saved text and drops it when it equals that text again", () => {
    const begun = { values: { subject: "New" }, base: { subject: "Old" }, sequence: "1" };
    expect(stateAfter(write("New")).drafts).toEqual(new Map([["a", begun]]));
    expect(stateAfter(write("New"), write("Old")).drafts.size).toBe(0);
  });

  it("keeps what was typed during a save as a draft of the saved text", () => {
    const now = { own: { subject: "New" }, sequence: "2" };
    const settle = {
      type: "settle",
      key: "a",
      outcome: { kind: "saved", address: "a", warnings: 0 },
      saved: now,
    } as const;
    const typed = stateAfter(write("Newer"), { ...settle, isSent: () => false });
    expect(typed.drafts.get("a")).toEqual({ values: { subject: "Newer" }, base: { subject: "New" }, sequence: "2" });
    expect(stateAfter(write("New"), { ...settle, isSent: () => true }).drafts.size).toBe(0);
    expect(stateAfter(write("New"), settle).drafts.get("a")?.sequence).toBe("1");
  });

  it("offers to undo a reset while another text is opened or edited, but no other result", () => {
    const open: Action = { type: "open", address: "b", isOtherText: true };
    expect(stateAfter({ type: "report", outcome: reset }, open, write("New")).outcome).toBe(reset);
    expect(stateAfter({ type: "report", outcome: { kind: "restored", address: "a" } }, open).outcome).toBeUndefined();
  });

  it("removes a queued save only by the values that were queued", () => {
    const [one, other] = [{ subject: "1" }, { subject: "2" }];
    const queue = (values: object): Action => ({ type: "queue", key: "a", values: values as typeof one });
    const ended = stateAfter(queue(one), queue(other), { type: "dequeue", key: "a", values: one });
    expect(ended.queued.get("a")).toBe(other);
    expect(stateAfter(queue(one), { type: "dequeue", key: "a", values: one }).queued.size).toBe(0);
  });
});
