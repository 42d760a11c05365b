/**
 * The list at an app's `sectorIdentifierUri` (OIDC Core §8.1), which has the redirect URIs of all apps of the sector.
 * Attack: an app that claims the sector of others to recognize their users.
 */
import type { Context } from "../../context";
import { type ApiError, fieldProblem, invalidArgument } from "../../protocol/api-error";
import { type Reason, reason } from "../../protocol/reason";
import { callFor } from "./client-documents";
import type { OidcSettings } from "./settings";

/** The maximum size of the list, in bytes. */
const MAX_BYTES = 64 * 1024;

type SectorSettings = Pick<OidcSettings, "sectorIdentifierUri" | "redirectUris" | "devMode">;

/** Returns why the list of the sector does not permit the app; undefined if it has every redirect URI (§8.1). */
export async function sectorProblem(ctx: Context, settings: SectorSettings): Promise<Reason | undefined> {
  const { sectorIdentifierUri: address, redirectUris = [], devMode } = settings;
  if (address === undefined) return undefined;
  const answer = await callFor(ctx, address, { largest: MAX_BYTES, devMode });
  if ("error" in answer) return reason("not_read");
  const list = listIn(answer.text);
  return redirectUris.every((uri) => list.includes(uri)) ? undefined : reason("sector_list");
}

function listIn(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** Returns the error for an app whose sector does not list it. What was listed before is not asked for again. */
export async function refuseSector(
  ctx: Context,
  settings: SectorSettings,
  before: SectorSettings = {},
): Promise<ApiError | undefined> {
  const isListed = settings.sectorIdentifierUri === before.sectorIdentifierUri;
  if (isListed && settings.redirectUris?.every((uri) => before.redirectUris?.includes(uri))) return undefined;
  const why = await sectorProblem(ctx, { devMode: false, ...settings });
  if (why === undefined) return undefined;
  const problem = fieldProblem("app.invalid_address", "sectorIdentifierUri", why);
  return invalidArgument(problem.id, problem.message, { field: problem.field, reason: why, problems: [problem] });
}
