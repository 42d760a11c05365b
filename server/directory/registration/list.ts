/** Clients that no administrator registered, as administrators of the instance see them. */
import type { Context } from "../../context";
import { registeredClients, registrationsWith, type ShownRegistration } from "../../storage/app/registrations";
import { type PagedList, pagedList, type TextWanted } from "../listing";

export type ListedRegistration = ShownRegistration;

/** A filter; a client must match all given fields. */
export interface RegistrationSearch {
  name?: TextWanted;
  kind?: ListedRegistration["kind"];
}

/** Newest first. */
export const registrationList = (ctx: Context, matches: readonly RegistrationSearch[]): PagedList<ListedRegistration> =>
  pagedList(ctx, matches.flatMap(registrationsWith), registeredClients);
