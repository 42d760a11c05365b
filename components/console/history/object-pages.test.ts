import { expect, it } from "vitest";
import { schemas } from "../../../server/directory/policy/settings";
import type { AuditEvent } from "./event";
import { addressOfObject } from "./object-pages";

const addressOf = (kind: string, resourceOwnerName?: string) => {
  const aggregate = { type: "policy", id: `o1 ${kind}`, resourceOwner: "o1", resourceOwnerName };
  return addressOfObject({ aggregate } as AuditEvent);
};

it("a changed policy leads to the view or the page that changes it", () => {
  const own = "/console/organizations/o1";
  expect(Object.keys(schemas).map((kind) => [kind, addressOf(kind, "Acme"), addressOf(kind)])).toEqual([
    ["login", `${own}/policies?view=login#login`, "/console/policies?view=login#login"],
    ["identityProviders", `${own}/identity-providers`, "/console/identity-providers"],
    [
      "password",
      `${own}/policies?view=passwords#password-complexity`,
      "/console/policies?view=passwords#password-complexity",
    ],
    ["passwordAge", `${own}/policies?view=passwords#password-age`, "/console/policies?view=passwords#password-age"],
    ["lockout", `${own}/policies?view=passwords#lockout`, "/console/policies?view=passwords#lockout"],
    [
      "notification",
      `${own}/policies?view=notification#notification`,
      "/console/policies?view=notification#notification",
    ],
    ["privacy", `${own}/policies?view=privacy#privacy`, "/console/policies?view=privacy#privacy"],
    ["texts", `${own}/policies?view=texts#texts`, "/console/policies?view=texts#texts"],
    ["restrictions", "/console/features", "/console/features"],
    ["label", `${own}/branding`, "/console/branding"],
    ["labelPreview", `${own}/branding`, "/console/branding"],
  ]);
  expect(addressOf("of_a_newer_release", "Acme")).toBe(`${own}/policies`);
});
