import { describe, expect, it } from "vitest";
import { repositorySources } from "../testing/repository";
import { operations } from "./all";

describe("The id of an operation", () => {
  it("occurs as a literal in server/api, so that git grep finds the declaration", () => {
    const sources = [...repositorySources()].filter(
      ([path]) => /^server\/api\/.*\.tsx?$/.test(path) && !/\.test\.|\/generated\//.test(path),
    );
    const words = new Set(sources.flatMap(([, source]) => source.match(/[A-Za-z0-9]+/g) ?? []));
    // The services of the texts prefix their ids, and the types of messages are variants of one operation.
    const declared = operations.map(({ id, variant }) => {
      const names = [id, variant?.of ?? id].map((name) => name.replace(/^(?:Admin|Management)Service_/, ""));
      return { id, isLiteral: names.some((name) => words.has(name)) };
    });
    expect(declared.filter(({ isLiteral }) => !isLiteral).map(({ id }) => id)).toEqual([]);
  });
});
