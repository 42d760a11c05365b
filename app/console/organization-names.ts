// Reads the names of the organizations that a list of the whole service mentions.
import type { Viewer } from "../../server/service/service";
import { ListOrgs } from "../../shared/generated/operations";

export async function organizationNames(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids)].map(async (id) => {
    const answer = await viewer.call(ListOrgs, { body: { queries: [{ idQuery: { id } }] } });
    return answer.ok ? answer.body.result.map(({ name }) => [id, name] as const) : [];
  });
  return new Map((await Promise.all(named)).flat());
}
