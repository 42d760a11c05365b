/** The areas of the API: operations with one tag of the OpenAPI document, each with a page of its own. */
import { operations } from "../all";
import type { Operation } from "../operation/operation";

/** The services with remote procedures, all of them about texts. */
const CALLED: Readonly<Record<string, string>> = {
  AdminService: "Texts of the instance",
  ManagementService: "Texts of organizations",
};

/** Areas that would be too long for one page, divided by the beginning of addresses. */
const DIVIDED: Readonly<Record<string, readonly (readonly [beginning: string, name: string])[]>> = {
  Users: [["/v2/", "Users, version 2"]],
  Mail: [["/management/", "Mail of organizations"]],
  Policies: [["/management/", "Policies of organizations"]],
};

function areaOf({ tag, path }: Operation): string {
  const part = DIVIDED[tag]?.find(([beginning]) => path.startsWith(beginning));
  return part?.[1] ?? CALLED[tag] ?? tag;
}

export interface AreaOperations {
  name: string;
  /** Part of its address. */
  anchor: string;
  operations: readonly Operation[];
}

export const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

/** By their names. */
export function operationAreas(): AreaOperations[] {
  const areas = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = areaOf(operation);
    areas.set(name, [...(areas.get(name) ?? []), operation]);
  }
  return [...areas]
    .sort(([a], [b]) => a.localeCompare(b, "en"))
    .map(([name, members]) => ({ name, anchor: anchorOf(name), operations: members }));
}
