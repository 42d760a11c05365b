/** Applies projects of the bootstrap file with their roles and apps. */

import { nextTurn } from "../concurrency/pauses";
import { addApp, changeApp } from "../directory/app/app";
import { type AppTrust, appTrustFields } from "../directory/app/app-trust";
import { addAppKey, isSameAppKey, removeAppKey } from "../directory/app/keys";
import { type OwnedApp, usesSecret } from "../directory/app/secret";
import type { ApiSettings, OidcSettings } from "../directory/app/settings";
import { addProject, changeProject } from "../directory/project/project";
import { addProjectRole, changeProjectRole } from "../directory/project/roles";
import { reason } from "../protocol/reason";
import { type AppRow, readApp, readAppByClientId, readAppsByName } from "../storage/app/app";
import { readAppKey } from "../storage/app/credentials";
import { type ProjectRow, readProject, readProjectRoles, readProjectsByName } from "../storage/project/project";
import { checkAddresses, findOddities } from "./contradictions";
import { BootstrapMistakes, describeMistake, failAt, orFail } from "./mistakes";
import type { Run } from "./run";
import type { AppEntry, ProjectEntry } from "./schema";

interface Owner {
  id: string;
  organizationId: string;
}

/** Applies a project. @returns the project's id, for references */
export async function applyProject(
  run: Run,
  organizationId: string,
  entry: ProjectEntry,
  path: string,
): Promise<string> {
  const { ctx, report } = run;
  const stored = await matchProject(run, organizationId, entry, path);
  const {
    id: givenId,
    name,
    projectRoleAssertion,
    projectRoleCheck,
    hasProjectCheck,
    privateLabelingSetting,
    scopes,
    rolesClaim,
    resources,
  } = entry;
  const rules = { projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting };
  const fields = { name, ...rules, scopes, rolesClaim, resources };
  const wanted = { ...fields, id: givenId, organizationId };
  const id = stored?.id ?? orFail(await addProject(ctx, wanted), path);
  if (!stored) report.created.push(`project ${name}`);
  else if (orFail(await changeProject(ctx, stored, fields), path)) {
    report.updated.push(`project ${name}`);
  }
  const project = { id, organizationId };
  await applyRoles(run, project, entry, stored !== undefined);
  for (const [index, app] of (entry.apps ?? []).entries()) {
    await nextTurn();
    await applyApp(run, project, app, `${path}.apps[${index}]`);
  }
  return id;
}

async function matchProject(
  run: Run,
  organizationId: string,
  entry: ProjectEntry,
  path: string,
): Promise<ProjectRow | undefined> {
  if (entry.id !== undefined) {
    const stored = await readProject(run.ctx.tx, entry.id);
    if (stored && stored.organizationId !== organizationId)
      failAt(`${path}.id`, reason("elsewhere", { what: "organization" }));
    return stored;
  }
  const [named, another] = await readProjectsByName(run.ctx.tx, organizationId, entry.name);
  if (another) failAt(`${path}.name`, reason("several", { what: "projects" }));
  return named;
}

async function applyRoles(run: Run, project: Owner, entry: ProjectEntry, exists: boolean): Promise<void> {
  if (!entry.roles?.length) return;
  const { ctx, report } = run;
  const stored = exists ? await readProjectRoles(ctx.tx, project.id) : [];
  for (const { roleKey, displayName, group } of entry.roles) {
    const known = stored.find((row) => row.roleKey === roleKey);
    const name = `role ${roleKey} of project ${entry.name}`;
    if (!known) {
      await addProjectRole(ctx, project, { roleKey, displayName, group });
      report.created.push(name);
    } else if (await changeProjectRole(ctx, project, known, { displayName, group })) {
      report.updated.push(name);
    }
  }
}

async function applyApp(run: Run, project: Owner, entry: AppEntry, path: string): Promise<void> {
  const { ctx, report } = run;
  const kind = entry.oidc ? "oidc" : "api";
  const at = `${path}.${kind}`;
  const paths = { clientId: `${at}.clientId` };
  const { clientId, clientSecret: secret, jwks, keys: _, ...given } = entry.oidc ?? entry.api ?? {};
  // The file is the operator's, who has the permissions of the instance.
  const { trusted, allowManagementApi, ...settings }: AppTrust & typeof given = given;
  const stored = await matchApp(run, project, entry, clientId, path);
  if (stored && stored.kind !== kind) failAt(at, reason("app_kind", { kind: stored.kind }));
  const fields = { name: entry.name, clientId, settings, jwks, ...appTrustFields({ trusted, allowManagementApi }) };
  report.warnings.push(
    ...findOddities(entry, at)
      .filter(() => !stored)
      .map(describeMistake),
  );
  // The file may contain only some settings, so the URIs are checked together with the stored ones.
  const all = { ...(stored?.settings as object | undefined), ...defined(settings) };
  const asOidc = kind === "oidc" ? (all as OidcSettings) : { jwksUri: (all as ApiSettings).jwksUri, devMode: true };
  const mistakes = checkAddresses(asOidc, at, ctx.config);
  if (mistakes.length > 0) throw new BootstrapMistakes(mistakes);
  if (!stored) {
    const lacksSecret = usesSecret(settings) && secret === undefined;
    if (lacksSecret && run.secretsMayBeMissing) {
      report.warnings.push(`${at}: the app gets no secret; make one before it is used`);
    } else if (lacksSecret)
      failAt(
        `${at}.clientSecret`,
        reason("secret_required", { method: settings.authMethodType ?? "the default authMethodType, which is BASIC" }),
      );
    const ref = { projectId: project.id, organizationId: project.organizationId };
    const wanted = { ...fields, ...ref, id: entry.id, kind, secret } as const;
    const app = orFail(await addApp(ctx, wanted), path, paths);
    report.created.push(`app ${app.clientId}`);
    await applyKeys(run, { id: app.id, organizationId: project.organizationId }, entry);
    return;
  }
  const changed = await changeApp(ctx, stored, project.organizationId, {
    ...fields,
    settings: all,
  });
  if (orFail(changed, path, paths)) {
    report.updated.push(`app ${clientId ?? stored.clientId}`);
  }
  await applyKeys(run, { id: stored.id, organizationId: project.organizationId }, entry);
}

/** Adds missing keys, and replaces a stored key of the same id if the key itself or its expiry differs. */
async function applyKeys(run: Run, app: OwnedApp, entry: AppEntry): Promise<void> {
  const { ctx, report } = run;
  for (const { keyId, publicKey, expirationDate } of (entry.oidc ?? entry.api)?.keys ?? []) {
    const key = { keyId, publicJwk: publicKey, expiresAt: expirationDate };
    const stored = await readAppKey(ctx.tx, app.id, keyId);
    if (stored && isSameAppKey(stored, key)) continue;
    if (stored) await removeAppKey(ctx, app, keyId);
    await addAppKey(ctx, app, {
      ...key,
      expiresAt: key.expiresAt ?? stored?.expiresAt ?? undefined,
    });
    (stored ? report.updated : report.created).push(`key ${keyId} of app ${entry.name}`);
  }
}

/** Returns the stored app of an entry: by its id, else by its client id, else by its name in the project. */
async function matchApp(
  run: Run,
  project: Owner,
  entry: AppEntry,
  clientId: string | undefined,
  path: string,
): Promise<AppRow | undefined> {
  const kind = entry.oidc ? "oidc" : "api";
  const holder = clientId === undefined ? undefined : await readAppByClientId(run.ctx.tx, clientId);
  let stored = holder;
  if (entry.id !== undefined) {
    stored = await readApp(run.ctx.tx, entry.id);
    if (holder && holder.id !== entry.id)
      failAt(`${path}.${kind}.clientId`, reason("client_id_taken", { id: holder.id }));
  } else if (clientId === undefined) {
    const [named, another] = await readAppsByName(run.ctx.tx, project.id, entry.name);
    if (another) failAt(`${path}.name`, reason("several", { what: "apps" }));
    stored = named;
  }
  if (stored && stored.projectId !== project.id) {
    failAt(
      entry.id === undefined ? `${path}.${kind}.clientId` : `${path}.id`,
      reason("elsewhere", { what: "project" }),
    );
  }
  return stored;
}

function defined(settings: object): object {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
