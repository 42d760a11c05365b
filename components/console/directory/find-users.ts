// Finds people by any word of their names, login name, e-mail address or phone number.
import { callConsole } from "../call";
import type { Choosable } from "../choice";
import type { ListAnswer } from "../list";
import { nameOf, type User } from "./user";

const MOST = 20;

export interface FoundUser extends Choosable {
  organizationId: string;
  /** The kind of page that shows the user. */
  page: "users" | "machines";
}

/** @param level `instance`: search the people of all organizations */
export async function findUsers(typed: string, level: "instance" | "organization"): Promise<FoundUser[]> {
  const path = level === "instance" ? "/admin/v1/users/_search" : "/management/v1/users/_search";
  const text = typed.trim();
  const queries = text === "" ? [] : [{ textQuery: { text } }];
  const answer = await callConsole<ListAnswer<User>>("POST", path, { body: { query: { limit: MOST }, queries } });
  if (!answer.ok) return [];
  return (answer.body.result ?? []).map((user) => ({
    value: user.id,
    label: nameOf(user),
    detail: user.preferredLoginName,
    organizationId: user.details.resourceOwner,
    page: user.machine ? ("machines" as const) : ("users" as const),
  }));
}
