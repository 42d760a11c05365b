// The queries of a list of users.
import { upperCase } from "../calls/list";
import type { UserState } from "./user";

export interface UserWanted {
  type: "human" | "machine";
  words: string | undefined;
  state: UserState | undefined;
}

export function userQueriesFor({ type, words, state }: UserWanted) {
  return [
    { typeQuery: { type: `TYPE_${upperCase(type)}` } },
    words?.trim() ? { textQuery: { text: words.trim() } } : undefined,
    state && { stateQuery: { state: `USER_STATE_${upperCase(state)}` as const } },
  ] as const;
}
