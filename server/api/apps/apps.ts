/** Apps: the clients that people sign in to, and the APIs that check tokens. */

import { z } from "zod";
import type { Context } from "../../context";
import type { AppRef } from "../../directory/app/change";
import { removeApp, renameApp, setAppState } from "../../directory/app/configure";
import { type AppMatch, type ListedApp, listAppsOf, listAppsOfProject, readListedApp } from "../../directory/app/list";
import { clientId, name, strict } from "../../directory/fields";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, searchedTextQuery, textQuery, toTextMatch } from "../operation/lists";
import { type OperationCall, operation } from "../operation/operation";
import { listOf } from "../operation/schemas";
import { APP_STATES, app, appState, toApp } from "./answers";

export const tag = "Apps";
export const PATH = "/management/v1/projects/:projectId/apps";
export const READ = { level: "project", permission: "project.app.read" } as const;
export const WRITE = { level: "project", permission: "project.app.write" } as const;

export function appRefOf({ organizationId, parameters }: OperationCall<unknown, unknown>): AppRef {
  return { organizationId, projectId: parameters.projectId ?? "", appId: parameters.appId ?? "" };
}

/** Returns the response of a change with the app's details, or the error. */
export async function changedApp(ctx: Context, { appId }: AppRef, change: Promise<unknown | ApiError>) {
  const outcome = await change;
  return isApiError(outcome) ? outcome : changedAnswer(ctx, "app", appId);
}

const TYPES = { APPLICATION_TYPE_OIDC: "oidc", APPLICATION_TYPE_API: "api" } as const;

const search = searchBody({
  nameQuery: textQuery("name"),
  stateQuery: strict({ state: appState }),
  clientIdQuery: strict({ clientId }),
  typeQuery: strict({ type: z.enum(Object.keys(TYPES) as (keyof typeof TYPES)[]) }),
  textQuery: searchedTextQuery,
});

function matchesIn({ queries = [] }: z.output<typeof search>): AppMatch[] {
  return queries.map(({ nameQuery, stateQuery, clientIdQuery, typeQuery, textQuery: searched }) => ({
    ...searched,
    name: nameQuery && toTextMatch(nameQuery.name, nameQuery.method),
    state: stateQuery && (stateQuery.state === APP_STATES.active ? "active" : "inactive"),
    clientId: clientIdQuery?.clientId,
    kind: typeQuery && TYPES[typeQuery.type],
  }));
}

const appAnswer = (row: ListedApp | ApiError) => (isApiError(row) ? row : { app: toApp(row) });

export const appOperations = [
  operation("ListOrganizationApps", "POST /management/v1/apps/_search", {
    tag,
    summary: "Search the apps of all projects of an organization, by name or client id",
    scope: { level: "projects", permission: "project.app.read" },
    body: search,
    bodyIsOptional: true,
    answer: listOf(app),
    handle: (ctx, { body, organizationId, projectIds }) =>
      pagedAnswer(ctx, body.query, listAppsOf(ctx, { organizationId, projectIds }, matchesIn(body)), toApp),
  }),
  operation("ListApps", `POST ${PATH}/_search`, {
    tag,
    summary: "Search the apps of a project, by name",
    scope: READ,
    body: search,
    bodyIsOptional: true,
    answer: listOf(app),
    handle: async (ctx, call) =>
      pagedAnswer(ctx, call.body.query, await listAppsOfProject(ctx, appRefOf(call), matchesIn(call.body)), toApp),
  }),
  operation("GetAppByID", `GET ${PATH}/:appId`, {
    tag,
    summary: "Read an app with its settings",
    scope: READ,
    answer: z.object({ app }),
    handle: async (ctx, call) => appAnswer(await readListedApp(ctx, appRefOf(call))),
  }),
  operation("UpdateApp", `PUT ${PATH}/:appId`, {
    tag,
    summary: "Rename an app",
    scope: WRITE,
    body: strict({ name }),
    handle: (ctx, call) => changedApp(ctx, appRefOf(call), renameApp(ctx, appRefOf(call), call.body.name)),
  }),
  operation("RemoveApp", `DELETE ${PATH}/:appId`, {
    tag,
    summary: "Remove an app and revoke everything it was granted",
    scope: { level: "project", permission: "project.app.delete" },
    handle: (ctx, call) => changedApp(ctx, appRefOf(call), removeApp(ctx, appRefOf(call))),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [id, does] = state === "active" ? ["ReactivateApp", "_reactivate"] : ["DeactivateApp", "_deactivate"];
    return operation(id, `POST ${PATH}/:appId/${does}`, {
      tag,
      summary: state === "active" ? "Reactivate an app" : "Deactivate an app and its tokens immediately",
      scope: WRITE,
      body: strict({}),
      bodyIsOptional: true,
      handle: (ctx, call) => changedApp(ctx, appRefOf(call), setAppState(ctx, appRefOf(call), state)),
    });
  }),
];
