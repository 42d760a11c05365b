import { expect, it } from "vitest";
import { catalogue } from "../../../server/events/catalogue";
import { EVENT_GROUPS, groups, typesOf } from "./groups";

it("puts every event type into exactly one group, and contains no unknown types", () => {
  const types = Object.keys(catalogue);
  const isIn = (type: string, beginning: string) => type === beginning || type.startsWith(`${beginning}.`);
  const homes = types.map((type) => [
    type,
    groups.filter((group) => EVENT_GROUPS[group].some((beginning) => isIn(type, beginning))).length,
  ]);
  expect(homes.filter(([, count]) => count !== 1)).toEqual([]);
  const beginnings = groups.flatMap((group) => typesOf(group));
  expect(beginnings.filter((beginning) => !types.some((type) => isIn(type, beginning)))).toEqual([]);
  // The limit of one search, and no group may also be a type.
  for (const group of groups) expect(typesOf(group).length, group).toBeLessThanOrEqual(20);
  expect(groups.filter((group) => types.some((type) => isIn(type, group)))).toEqual([]);
});
