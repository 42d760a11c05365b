// The filters of the mail page, as parameters of its address and as the search expects them.

import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { instantsOf, withoutIdleZone } from "../lists/days";
import { MAIL_CHANNELS, MAIL_STATES } from "./mail-state";

const FILTERS = ["q", "state", "channel", "type", "organization", "from", "to", "zone"] as const;
/** The filters as typed; empty ones are omitted. */
export type MailFilters = Partial<Record<(typeof FILTERS)[number], string>>;

export function mailFilters(search: Readonly<Record<string, string | undefined>>): MailFilters {
  const given = FILTERS.map((name) => [name, search[name]?.trim()] as const);
  return withoutIdleZone(Object.fromEntries(given.filter(([, value]) => value)));
}

type Wanted = NonNullable<BodyOf<"RetryMessages">>;
type State = AnswerOf<"ListMessages">["messages"][number]["state"];

/** Returns the filters of the search. Values that the form does not offer, typed into the address, do not filter. */
export function mailsWanted(filters: MailFilters, types: readonly string[]): Omit<Wanted, "state"> & { state?: State } {
  const { q, state, channel, type } = filters;
  return {
    recipient: q,
    state: MAIL_STATES.find((known) => known === state),
    channel: MAIL_CHANNELS.find((known) => known === channel),
    type: types.find((known) => known === type) as Wanted["type"],
    ...instantsOf(filters),
  };
}
