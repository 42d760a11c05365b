import { describe, expect, it } from "vitest";
import { operations } from "../server/api/all";
import { repositorySources } from "../server/testing/repository";
import { addressOf, fillAddress, requestWith } from "./declared";
import * as declared from "./generated/operations";

const project = declared.GetProjectByID;

describe("The address of an operation", () => {
  it("is the declared path with its parameters encoded", () => {
    expect(addressOf(project, { projectId: "../orgs/me?x#y" })).toBe("/management/v1/projects/..%2Forgs%2Fme%3Fx%23y");
    expect(addressOf(project, {})).toBe("/management/v1/projects/");
  });

  it("contains the given members in its query", () => {
    const { ExportEvents } = declared;
    expect(addressOf(ExportEvents, undefined, { format: "csv", eventTypes: undefined, actorId: "" })).toBe(
      "/management/v1/events/_export?format=csv",
    );
    expect(addressOf(ExportEvents)).toBe("/management/v1/events/_export");
  });

  it("is completed by form fields, which are then not sent in the body", () => {
    const typed = { userId: "u1", roleKeys: ["r"] };
    expect(requestWith({ userId: { field: "userId" }, grantId: "g" }, typed)).toEqual({
      at: { userId: "u1", grantId: "g" },
      body: { roleKeys: ["r"] },
    });
    expect(requestWith({ userId: "u2", grantId: "g" }, typed)).toEqual({
      at: { userId: "u2", grantId: "g" },
      body: typed,
    });
  });

  it("is the one that the service serves", () => {
    const served = new Set(
      operations.map(({ method, path, variant }) => {
        return `${method} ${variant ? path.replace(`/${variant.value}`, `/:${variant.parameter}`) : path}`;
      }),
    );
    for (const { method, path } of Object.values(declared)) expect(served).toContain(`${method} ${path}`);
  });
});

/** The shapes that identify an address of an operation written as a literal. */
const BY_HAND = /["'`]\/?(?:(?:admin|management|assets|\$\{[^}]*\})\/v1|v2|v2beta)\//;
describe("the console", () => {
  it("writes no address of an operation by hand", () => {
    const writing = [...repositorySources()].flatMap(([path, text]) =>
      /^(?:components|app|server)\/console\//.test(path) && !/\.test\.tsx?$/.test(path) && BY_HAND.test(text)
        ? [path]
        : [],
    );
    expect(writing).toEqual([]);
  });
});

describe("An address with placeholders", () => {
  it("is filled in from values, and is not changed by any of them", () => {
    expect(fillAddress("/users/{userId}/keys", { userId: "u 1", type: "x" })).toBe("/users/u%201/keys");
    expect(fillAddress("/users/{id}", { id: "../orgs/me?x#y" })).toBe("/users/..%2Forgs%2Fme%3Fx%23y");
    expect(fillAddress("/users/{user.id}/{gone}", { user: { id: "u1" } })).toBe("/users/u1/");
  });
});
