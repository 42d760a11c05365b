/** Apps: the clients that people sign in to, and the APIs that check tokens. */

import { z } from "zod";
import type { Context } from "../context";
import { changeApp, removeApp, setAppState } from "../directory/app/app";
import { type AppChange, changeInApp, noSuchApp, reduceInApp } from "../directory/app/change";
import { clientId, name, strict } from "../directory/fields";
import { noSuchProject } from "../directory/not-found";
import type { Origin } from "../events/record";
import { failedPrecondition, isApiError } from "../protocol/api-error";
import { type AppPlace, appsOf, countApps, findApp, listApps, matchApps } from "../storage/app-list";
import { findProject } from "../storage/projects";
import { changedAnswer } from "./answers";
import { APP_STATES, app, appState, toApps } from "./app-answers";
import { listAnswer, searchBody, textQuery, toTextMatch } from "./lists";
import { type OperationCall, operation } from "./operation";
import { changed, listOf } from "./schemas";

export const tag = "Apps";
export const PATH = "/management/v1/projects/:projectId/apps";
export const READ = { level: "project", permission: "project.app.read" } as const;
export const WRITE = { level: "project", permission: "project.app.write" } as const;

export function placeOf({ organizationId, parameters }: OperationCall<unknown, unknown>): AppPlace {
  return { organizationId, projectId: parameters.projectId ?? "", appId: parameters.appId ?? "" };
}

/** A change of one app that is answered with its details only. */
export async function changedApp<T>(ctx: Context, place: AppPlace, origin: Origin, work: AppChange<T>) {
  const answer = await changeInApp(ctx, place, origin, work);
  return isApiError(answer) ? answer : changedAnswer(ctx, "app", place.appId);
}

/** The same for a change that only takes something away. */
export async function reducedApp<T>(ctx: Context, place: AppPlace, work: AppChange<T>) {
  const answer = await reduceInApp(ctx, place, work);
  return isApiError(answer) ? answer : changedAnswer(ctx, "app", place.appId);
}

const search = searchBody({
  nameQuery: textQuery("name"),
  stateQuery: strict({ state: appState }),
  clientIdQuery: strict({ clientId }),
});

function listAnswerOf(
  ctx: Context,
  body: z.output<typeof search>,
  organizationId: string,
  projectIds?: readonly string[],
) {
  const where = appsOf(organizationId, projectIds);
  for (const { nameQuery, stateQuery, clientIdQuery } of body.queries ?? []) {
    if (nameQuery) matchApps(where, { name: toTextMatch(nameQuery.name, nameQuery.method) });
    if (stateQuery) matchApps(where, { state: stateQuery.state === APP_STATES.active ? "active" : "inactive" });
    if (clientIdQuery) matchApps(where, clientIdQuery);
  }
  return listAnswer(ctx, body.query, {
    places: ["string", "string"],
    page: ({ ascending, ...wanted }) => listApps(ctx.db, where, { ...wanted, descending: ascending === false }),
    count: () => countApps(ctx.db, where),
    items: (rows) => toApps(ctx, rows),
  });
}

export const appOperations = [
  operation({
    id: "ListOrganizationApps",
    method: "POST",
    path: "/management/v1/apps/_search",
    tag,
    summary: "Search the apps of all projects of an organization, by name",
    scope: { level: "projects", permission: "project.app.read" },
    body: search,
    bodyIsOptional: true,
    answer: listOf(app),
    handle: (ctx, { body, organizationId, projectIds }) => listAnswerOf(ctx, body, organizationId, projectIds),
  }),
  operation({
    id: "ListApps",
    method: "POST",
    path: `${PATH}/_search`,
    tag,
    summary: "Search the apps of a project, by name",
    scope: READ,
    body: search,
    bodyIsOptional: true,
    answer: listOf(app),
    async handle(ctx, call) {
      const { organizationId, projectId } = placeOf(call);
      if (!(await findProject(ctx.db, organizationId, projectId))) return noSuchProject();
      return listAnswerOf(ctx, call.body, organizationId, [projectId]);
    },
  }),
  operation({
    id: "GetAppByID",
    method: "GET",
    path: `${PATH}/:appId`,
    tag,
    summary: "Read an app with its settings",
    scope: READ,
    answer: z.object({ app }),
    async handle(ctx, call) {
      const row = await findApp(ctx.db, placeOf(call));
      const [shown] = row ? await toApps(ctx, [row]) : [];
      return shown ? { app: shown } : noSuchApp();
    },
  }),
  operation({
    id: "UpdateApp",
    method: "PUT",
    path: `${PATH}/:appId`,
    tag,
    summary: "Rename an app",
    scope: WRITE,
    body: strict({ name }),
    answer: changed,
    handle: (ctx, call) =>
      changedApp(ctx, placeOf(call), call.origin, (tx, stored, project) =>
        changeApp(ctx, tx, stored, project.organizationId, call.body, call.origin),
      ),
  }),
  operation({
    id: "RemoveApp",
    method: "DELETE",
    path: `${PATH}/:appId`,
    tag,
    summary: "Remove an app and revoke everything it was granted",
    scope: { level: "project", permission: "project.app.delete" },
    answer: changed,
    handle: (ctx, call) =>
      reducedApp(ctx, placeOf(call), (tx, stored, project) =>
        removeApp(ctx, tx, stored, project.organizationId, call.origin),
      ),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [verb, does] = state === "active" ? ["Reactivate", "_reactivate"] : ["Deactivate", "_deactivate"];
    return operation({
      id: `${verb}App`,
      method: "POST",
      path: `${PATH}/:appId/${does}`,
      tag,
      summary: state === "active" ? "Let an app work again" : "Stop an app and its tokens at once",
      scope: WRITE,
      body: strict({}),
      bodyIsOptional: true,
      answer: changed,
      handle: (ctx, call) =>
        reducedApp(ctx, placeOf(call), async (tx, stored, { organizationId }) => {
          if (stored.state === state) return failedPrecondition(`app.already_${state}`, `The app is ${state} already.`);
          return setAppState(ctx, tx, { id: stored.id, organizationId }, state, call.origin);
        }),
    });
  }),
];
