import { expect, it } from "vitest";
import { MESSAGE_GROUPS } from "./groups";
import { MESSAGE_TYPES } from "./table";

it("lists every type once: by purpose, invitations first and text messages last", () => {
  const listed = MESSAGE_GROUPS.flatMap(({ types }) => types);
  expect(listed.toSorted()).toEqual([...MESSAGE_TYPES].sort());
  expect(Object.fromEntries(MESSAGE_GROUPS.map(({ purpose, types }) => [purpose, types]))).toMatchObject({
    welcome: expect.arrayContaining(["invite_user", "init"]),
    codes: ["verifyemailotp", "verifysmsotp"],
  });
  expect(listed[0]).toBe("invite_user");
});
