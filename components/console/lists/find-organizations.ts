// Finds organizations by name, primary domain or id.

import { ListOrgs } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { closestFirst } from "./closest-first";

export interface FoundOrganization {
  id: string;
  name: string;
  primaryDomain?: string;
}

const MAX_FOUND = 20;

/**
 * Returns the organizations that match the typed text.
 * @param managed the organizations of a visitor who may not see all; if undefined, the server searches all
 */
export async function findOrganizations(
  typed: string,
  managed: readonly FoundOrganization[] | undefined,
): Promise<readonly FoundOrganization[]> {
  if (managed) {
    return closestFirst(managed, typed, ({ id, name, primaryDomain }) => [name, primaryDomain ?? "", id]).slice(
      0,
      MAX_FOUND,
    );
  }
  const queries = typed === "" ? [] : [{ textQuery: { text: typed } }];
  const body = { query: { limit: MAX_FOUND }, queries };
  const answer = await callOperation(ListOrgs, { body });
  return answer.ok ? answer.body.result : [];
}
