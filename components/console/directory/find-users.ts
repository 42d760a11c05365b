// Finds users by any word of their names, login name, email address or phone number.

import { ListAllUsers, ListUsers } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import type { Choosable } from "../forms/choosable";
import { nameOf } from "./user";

const MAX_FOUND = 20;

export interface FoundUser extends Choosable {
  organizationId: string;
  /** The kind of page that shows the user. */
  page: "users" | "machines";
}

/**
 * Finds users.
 * @param level `instance` searches the users of all organizations
 */
export async function findUsers(typed: string, level: "instance" | "organization"): Promise<FoundUser[]> {
  const search = level === "instance" ? ListAllUsers : ListUsers;
  const text = typed.trim();
  const queries = text === "" ? [] : [{ textQuery: { text } }];
  const answer = await callOperation(search, { body: { query: { limit: MAX_FOUND }, queries } });
  if (!answer.ok) return [];
  return answer.body.result.map((user) => ({
    value: user.id,
    label: nameOf(user),
    detail: user.preferredLoginName,
    organizationId: user.details.resourceOwner,
    page: user.machine ? ("machines" as const) : ("users" as const),
  }));
}
