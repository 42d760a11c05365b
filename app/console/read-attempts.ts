// Reads the sign-in attempts that a page shows. Managers of the service see those of an organization completely.
import type { AttemptAnswer, AttemptQuery } from "../../components/console/attempts/attempt";
import type { CurrentOrganization, Viewer } from "../../server/service/service";
import { ListInstanceSignInAttempts, ListSignInAttempts } from "../../shared/generated/operations";
import type { Answer } from "../../shared/refusal";

/**
 * Reads a page of attempts.
 * @param wanted the filters and the page
 */
export function readAttemptPage(
  viewer: Viewer,
  organization: CurrentOrganization,
  wanted: AttemptQuery & { query: { limit: number; pageToken?: string } },
): Promise<Answer<AttemptAnswer>> {
  return viewer.permissions.has("user.read")
    ? viewer.call(ListInstanceSignInAttempts, { body: { ...wanted, organizationId: organization.id } })
    : viewer.call(ListSignInAttempts, { body: wanted });
}

/** Reads the latest few attempts; none if the visitor may not read them. */
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
