/** Apps as shown to administrators: with all registered settings, but without the values of their secrets. */
import type { Context } from "../../context";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { countActiveOidcApps } from "../../storage/app/app";
import { listAppSecrets, type ShownSecret } from "../../storage/app/credentials";
import { appList, appsOf, findApp, matchApps, type ShownApp } from "../../storage/app/list";
import type { ProjectRef } from "../change-project";
import { type PagedList, pagedList, searchedText, type TextWanted } from "../listing";
import { requireProject } from "../project/list";
import { type AppRef, noSuchApp } from "./change";

export type ListedSecret = ShownSecret;

export interface ListedApp extends ShownApp {
  /** Oldest first. */
  secrets: readonly ListedSecret[];
}

/** Filter for a list of apps; an app must match all given fields. */
export interface AppMatch {
  name?: TextWanted;
  state?: "active" | "inactive";
  clientId?: string;
  kind?: ShownApp["kind"];
  /** The text of a search box: a client id, an id, or words of the name. */
  text?: string;
}

/**
 * Lists the apps of an organization by name; those first that a searched text names as a whole.
 * @param projectIds only apps of these projects; undefined for all; must not be empty
 */
export function listAppsOf(
  ctx: Context,
  { organizationId, projectIds }: { organizationId: string; projectIds?: readonly string[] },
  matches: readonly AppMatch[],
): PagedList<ListedApp> {
  const where = appsOf(organizationId, projectIds);
  const texts = matches.map(({ text }) => (text === undefined ? undefined : searchedText(text)));
  for (const [place, match] of matches.entries()) matchApps(where, { ...match, text: texts[place] });
  const closestTo = texts.find((text) => text !== undefined);
  const list = pagedList(ctx, where, appList(closestTo));
  return {
    ...list,
    async page(wanted) {
      const page = await list.page(wanted);
      return { ...page, rows: await withSecrets(ctx, page.rows) };
    },
  };
}

/** Lists the apps of one project by name. */
export async function listAppsOfProject(
  ctx: Context,
  ref: ProjectRef,
  matches: readonly AppMatch[],
): Promise<PagedList<ListedApp> | ApiError> {
  const project = await requireProject(ctx, ref);
  if (isApiError(project)) return project;
  return listAppsOf(ctx, { organizationId: ref.organizationId, projectIds: [project.id] }, matches);
}

export async function readListedApp(ctx: Context, ref: AppRef): Promise<ListedApp | ApiError> {
  const row = await findApp(ctx.db, ref);
  const [app] = row ? await withSecrets(ctx, [row]) : [];
  return app ?? noSuchApp();
}

async function withSecrets(ctx: Context, rows: readonly ShownApp[]): Promise<ListedApp[]> {
  const all = await listAppSecrets(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, secrets: all.filter(({ appId }) => appId === row.id) }));
}

/** Returns whether the app has a key to verify its assertions with. */
export function hasKeys({ jwks, keyCount }: Pick<ShownApp, "jwks" | "keyCount">): boolean {
  return keyCount > 0 || ((jwks as { keys: unknown[] } | null)?.keys.length ?? 0) > 0;
}

/** Counts the active OIDC apps of the whole service. */
export const countActiveApps = (ctx: Context): Promise<number> => countActiveOidcApps(ctx.db);
