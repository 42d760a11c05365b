import { expect, it } from "vitest";
import { matchActs } from "./match-acts";

const acts = [
  { act: "addApp", words: "Add an app, register create application", hasObject: false },
  { act: "resetPassword", words: "Reset the password of, forgot link", hasObject: true },
  { act: "readMails", words: "Emails to, messages", hasObject: true },
] as const;
const match = (typed: string) => matchActs(acts, typed).map(({ act, object }) => [act, object]);

it("finds an act by beginnings of its words or further words, in any order", () => {
  expect(match("add app")).toEqual([["addApp", ""]]);
  expect(match("app add")).toEqual([["addApp", ""]]);
  expect(match("REGISTER")).toEqual([["addApp", ""]]);
  expect(match("forgot")).toEqual([["resetPassword", ""]]);
});

it("puts the act first whose name begins with the typed word", () => {
  const rotating = [
    { act: "replaceSecret", words: "Replace client secret of, rotate", hasObject: true },
    { act: "rotateKeys", words: "Rotate signing keys, replace", hasObject: false },
  ];
  expect(matchActs(rotating, "rotate").map(({ act }) => act)).toEqual(["rotateKeys", "replaceSecret"]);
  expect(matchActs(rotating, "replace").map(({ act }) => act)).toEqual(["replaceSecret", "rotateKeys"]);
});

it("takes the other words as the object, before or after those of the act", () => {
  for (const typed of ["reset password of maria müller", "maria müller reset password"]) {
    expect(match(typed)).toEqual([["resetPassword", "maria müller"]]);
  }
  expect(match("emails maria@acme.test")).toEqual([["readMails", "maria@acme.test"]]);
});

it("finds no act by other words, by a few letters, or with an object that it does not have", () => {
  for (const typed of ["maria", "a", "of", "", "add app maria"]) expect(match(typed)).toEqual([]);
});
