/**
 * Exports the service as a bootstrap file, streamed while it is read. Secrets, passwords and their hashes are omitted,
 * as the file would reveal them; inactive and locked objects are omitted, as they would be active after an import.
 */

import type { Context } from "../context";
import { knownFeatures } from "../directory/features";
import { readOwnOffers } from "../directory/identity-provider/offered";
import { findInstance } from "../directory/instance";
import { addedEntries, languagesOf } from "../directory/policy/languages";
import { type IdentityProviderRow, listIdentityProviderRows } from "../storage/identity-provider/providers";
import {
  type ExportedProject,
  exportedGrantMembers,
  exportedGrants,
  exportedOrganizations,
  exportedProjects,
  exportedUsers,
} from "../storage/maintenance/export";
import { listOwnLoginTexts } from "../storage/text/login-texts";
import { listOwnTexts } from "../storage/text/message-texts";
import { groupedPageTexts } from "../texts/pages/page-texts";
import {
  appEntry,
  decisionEntry,
  machineEntry,
  personEntry,
  present,
  providerEntry,
  textMetadataOf,
  type Where,
} from "./export-entries";

export async function* exportBootstrap(ctx: Context): AsyncGenerator<string> {
  const { id, defaultLanguage, defaultOrganizationId, features, security } = await findInstance(ctx);
  const languages = await languagesOf(ctx);
  const added = await addedEntries(ctx);
  const ofService = await listIdentityProviderRows(ctx.db, id);
  const instance = {
    languages: added.length > 0 ? added.map(({ tag, endonym }) => ({ language: tag, name: endonym })) : undefined,
    defaultLanguage,
    features: knownFeatures(features),
    security,
    messageTexts: await texts(ctx, id),
    loginTexts: await loginTexts(ctx, id),
    identityProviders: await providerEntries(ctx, id, ofService),
  };
  yield `{"instance":${JSON.stringify(present(instance))},"organizations":[`;
  let separator = "\n";
  for await (const organization of exportedOrganizations(ctx.db)) {
    const own = await listIdentityProviderRows(ctx.db, organization.id);
    // A name means the organization's own provider before the service's.
    const others = ofService.filter(({ name }) => own.every((one) => one.name !== name));
    const providers = new Map([...own, ...others].map(({ id, name }) => [id, name]));
    const where = { instanceId: id, organizationId: organization.id, providers };
    const head = {
      id: organization.id,
      name: organization.name,
      default: organization.id === defaultOrganizationId || undefined,
      defaultLanguage: languages.find((language) => language === organization.defaultLanguage),
      metadata: textMetadataOf(organization),
      domains: organization.domains.map(({ domain, isVerified, isPrimary }) => {
        return { domain, verified: isVerified, primary: isPrimary };
      }),
      messageTexts: await texts(ctx, organization.id),
      loginTexts: await loginTexts(ctx, organization.id),
      identityProviders: await providerEntries(ctx, organization.id, own),
      passwordHook: organization.passwordHook && { endpoint: organization.passwordHook.endpoint },
      clientDecisions: organization.clientDecisions.map(decisionEntry),
    };
    yield `${separator}${JSON.stringify(present(head)).slice(0, -1)}`;
    yield* list("users", mapped(exportedUsers(ctx.db, organization.id, "human"), personEntry, where));
    yield* list("machines", mapped(exportedUsers(ctx.db, organization.id, "machine"), machineEntry, where));
    yield* list("projects", projects(ctx, organization.id));
    yield "}";
    separator = ",\n";
  }
  yield "]}\n";
}

/** Yields a member with a list; omitted if the list is empty. */
async function* list(name: string, entries: AsyncGenerator<object>): AsyncGenerator<string> {
  let any = false;
  for await (const entry of entries) {
    yield `${any ? ",\n" : `,${JSON.stringify(name)}:[\n`}${JSON.stringify(entry)}`;
    any = true;
  }
  if (any) yield "]";
}

async function* mapped<Row>(
  rows: AsyncGenerator<Row>,
  toEntry: (row: Row, where: Where) => object,
  where: Where,
): AsyncGenerator<object> {
  for await (const row of rows) yield toEntry(row, where);
}

async function* projects(ctx: Context, organizationId: string): AsyncGenerator<object> {
  for await (const project of exportedProjects(ctx.db, organizationId)) {
    const userGrants: object[] = [];
    for await (const { userId, roleKeys } of exportedGrants(ctx.db, project.id, organizationId)) {
      userGrants.push({ userId, roleKeys: known(project, roleKeys as string[]) });
    }
    const {
      id,
      name,
      projectRoleAssertion,
      projectRoleCheck,
      hasProjectCheck,
      privateLabelingSetting,
      scopes,
      rolesClaim,
      resources,
      roles,
      apps,
      grants,
    } = project;
    const members = await exportedGrantMembers(
      ctx.db,
      grants.map(({ id }) => id),
    );
    yield present({
      id,
      name,
      projectRoleAssertion,
      projectRoleCheck,
      hasProjectCheck,
      privateLabelingSetting,
      scopes,
      rolesClaim,
      resources: resources.length === 0 ? undefined : resources.map(({ uri }) => uri),
      roles: roles.map(({ roleKey, displayName, group }) => present({ roleKey, displayName, group })),
      apps: apps.map((app) => appEntry(app, ctx.clock())),
      userGrants,
      grants: grants.map(({ id, grantedOrganizationId, roleKeys }) =>
        present({
          grantedOrgId: grantedOrganizationId,
          roleKeys: known(project, roleKeys as string[]),
          members: [...(members.get(id) ?? [])].map(([userId, roles]) => ({ userId, roles })),
        }),
      ),
    });
  }
}

const known = ({ roles }: ExportedProject, keys: readonly string[]) =>
  keys.filter((key) => roles.some(({ roleKey }) => roleKey === key));

/** Omits texts in a removed language: they are still stored, but the service does not have the language. */
async function inKnownLanguage<Row extends { language: string }>(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const languages = await languagesOf(ctx);
  return rows.filter(({ language }) => languages.some((known) => known === language));
}

/** Returns the owner's own texts; fields that fall back are omitted. */
async function texts(ctx: Context, ownerId: string): Promise<object[]> {
  const rows = await inKnownLanguage(ctx, await listOwnTexts(ctx.db, ownerId));
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== "")),
  );
}

/** Returns the owner's own page texts. */
async function loginTexts(ctx: Context, ownerId: string): Promise<object[]> {
  const rows = await inKnownLanguage(ctx, await listOwnLoginTexts(ctx.db, ownerId));
  return rows.map(({ language, words }) => ({
    language,
    ...groupedPageTexts(words),
  }));
}

/** Returns the providers of an owner, those that it offers first and in the order of their buttons. */
async function providerEntries(ctx: Context, ownerId: string, rows: readonly IdentityProviderRow[]): Promise<object[]> {
  const offered = await readOwnOffers(ctx.db.prisma, ownerId);
  const isOffered = ({ id }: IdentityProviderRow) => offered.includes(id);
  const byButton = rows.filter(isOffered).sort((one, other) => offered.indexOf(one.id) - offered.indexOf(other.id));
  return [...byButton, ...rows.filter((row) => !isOffered(row))].map((row) => providerEntry(row, isOffered(row)));
}
