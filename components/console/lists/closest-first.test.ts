import { expect, it } from "vitest";
import { closestFirst } from "./closest-first";

const find = (names: readonly string[], typed: string) => closestFirst(names, typed, (name) => [name]);

it("returns the entry with exactly the text first, then beginnings, then beginnings of words, then parts of words", () => {
  const names = ["Remaria", "Anna Maria", "Maria Zweig", "Maria"];
  expect(find(names, "maria")).toEqual(["Maria", "Maria Zweig", "Anna Maria", "Remaria"]);
});

it("finds all words in any order, without accents and in any case, and nothing else", () => {
  expect(find(["Müller Ltd", "Miller Ltd"], "LTD muller")).toEqual(["Müller Ltd"]);
  expect(find(["Müller Ltd"], "muller inc")).toEqual([]);
  expect(find(["b", "a"], " ")).toEqual(["b", "a"]);
});
