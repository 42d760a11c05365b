import { describe, expect, it } from "vitest";
import { textBefore } from "./text-before";

const change = (sequence: string, fields: Record<string, string>, changes: { field: string; from?: string }[]) => ({
  position: sequence,
  sequence,
  creationDate: "2026-11-01T00:00:00Z",
  actor: { id: "u1", kind: "human" as const },
  kind: "set" as const,
  fields,
  changes,
});

describe("The text before a change", () => {
  const history = [
    change("3", {}, [
      { field: "subject", from: "Hi" },
      { field: "text", from: "Hello" },
    ]),
    change("2", { subject: "Hi", text: "Hello" }, [{ field: "subject", from: "Hey" }, { field: "text" }]),
    change("1", { subject: "Hey" }, [{ field: "subject" }]),
  ];

  it("has the former values of the fields that were changed, and the others as they are", () => {
    expect(textBefore(history, "2")).toEqual({ subject: "Hey" });
    const single = [change("5", { subject: "A", text: "B" }, [{ field: "text", from: "C" }])];
    expect(textBefore(single, "5")).toEqual({ subject: "A", text: "C" });
  });

  it("is complete before a reset, and empty before the first change", () => {
    expect(textBefore(history, "3")).toEqual({ subject: "Hi", text: "Hello" });
    expect(textBefore(history, "1")).toEqual({});
  });

  it("is unknown if the history no longer has the change", () => {
    expect(textBefore(history, "9")).toBeUndefined();
  });
});
