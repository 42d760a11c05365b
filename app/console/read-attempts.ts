// The attempts to sign in that a page shows. Who manages the service reads those of an organization whole.
import type { AttemptAnswer, AttemptQuery } from "../../components/console/attempts/attempt";
import { ListInstanceSignInAttempts, ListSignInAttempts } from "../../components/console/generated/operations";
import type { Answer } from "../../components/console/refusal";
import type { CurrentOrganization, Viewer } from "../../server/service/service";

/** @param wanted the filters and the page */
export function readAttemptPage(
  viewer: Viewer,
  organization: CurrentOrganization,
  wanted: AttemptQuery & { query: { limit: number; pageToken?: string } },
): Promise<Answer<AttemptAnswer>> {
  return viewer.permissions.has("user.read")
    ? viewer.call(ListInstanceSignInAttempts, { body: { ...wanted, organizationId: organization.id } })
    : viewer.call(ListSignInAttempts, { body: wanted });
}

/** The latest few; none if the visitor may not read them. */
export async function readRecentAttempts(
  viewer: Viewer,
  organization: CurrentOrganization,
  wanted: AttemptQuery = {},
): Promise<AttemptAnswer["result"] | undefined> {
  if (!organization.permissions.has("user.read")) return undefined;
  const answer = await readAttemptPage(viewer, organization, { ...wanted, query: { limit: FEW } });
  return answer.ok ? answer.body.result : undefined;
}

const FEW = 5;
