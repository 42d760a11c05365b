/** Lists the managers of the instance, an organization or a project, each with all their roles there. */
import type { Context } from "../../context";
import {
  countMembers,
  type LevelRef,
  listMembers,
  type MembersWanted,
  matchMembers,
  membersOf,
  type ShownMember,
} from "../../storage/member/list";
import { type PagedList, pagedList } from "../listing";

export type ListedMember = ShownMember;

export function listMembersOf(ctx: Context, at: LevelRef, matches: readonly MembersWanted[]): PagedList<ListedMember> {
  const where = membersOf(at);
  for (const match of matches) matchMembers(where, match);
  return pagedList(ctx, {
    cursor: ["string", "string"],
    where,
    list: (db, conditions, reading) => listMembers(db, at, conditions, reading),
    count: countMembers,
  });
}
