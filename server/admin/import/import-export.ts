/**
 * Imports the export of another system: first everything but users, then users in batches, then their roles. Nothing is
 * written before the whole file was read once. What exists already is kept, so an import that was interrupted is
 * continued by repeating it.
 */
import type { HashOptions } from "../../api/users/import";
import { matchOrganization } from "../../bootstrap/organizations";
import type { OrganizationEntry } from "../../bootstrap/schema";
import type { Context } from "../../context";
import { listIdentityProviders } from "../../directory/identity-provider/identity-provider";
import { readOrganization } from "../../storage/organization/organization";
import { applyDraft, draftOf } from "./apply-base";
import { importBatch } from "./import-users";
import { newPace, type Pace, paced } from "./pace";
import { readExport } from "./read-export";
import { importGrantMembers, importGrants, importMembers, readStoredUsers } from "./roles";
import type { Exported, ExportSource, MovedUser } from "./sources/found";
import { type Home, NAMED, type Survey, surveyExport } from "./survey";
import { importParts, type PartsOptions, type PartsReport } from "./user-parts";

export interface ImportOptions extends Omit<PartsOptions, "survey"> {
  asksElsewhere?: boolean;
  hashes: HashOptions;
  /** The id of the organization that gets the users of a file without organizations. */
  organization?: string;
}

export interface ImportReport extends PartsReport {
  survey: Survey;
  /** The entries of the bootstrap file that were new, for instance `app 12@shop`. */
  created: string[];
  /** Those that differed. */
  updated: string[];
  warnings: string[];
  users: { created: number; known: number; refused: number };
  members: number;
  userGrants: number;
}

/** Progress is reported after so many users. */
const STEP = 5_000;

interface Import {
  ctx: Context;
  source: ExportSource;
  path: string;
  options: ImportOptions;
  report: ImportReport;
  /** By key of the file; undefined for an organization that a dry run would create. */
  homes: ReadonlyMap<string, Home | undefined>;
  pace: Pace;
}

export async function importExport(
  ctx: Context,
  source: ExportSource,
  path: string,
  options: ImportOptions,
  progress: (text: string) => void,
): Promise<ImportReport> {
  const survey = await surveyExport(source, path);
  progress(`read ${survey.organizations.size} organizations, ${survey.projects.size} projects, ${survey.users} users`);
  await nameOrganization(ctx, source, survey, options.organization);
  const { dryRun } = options;
  await keepStoredProviders(ctx, survey);
  const { created, updated, warnings, refused } = await applyDraft(ctx, draftOf(survey), { dryRun });
  const users = { created: 0, known: 0, refused: 0 };
  const none = { authenticatorApps: 0, links: 0, passkeys: 0, members: 0, userGrants: 0 };
  const report: ImportReport = { survey, created, updated, warnings, refused, users, ...none };
  const homes = await findHomes(ctx, survey);
  const run: Import = { ctx, source, path, options, report, homes, pace: newPace() };
  await importUsers(run, progress);
  if (survey.parts > 0) await importSeparateParts(run);
  if (dryRun) return report;
  report.members = await importMembers(ctx, survey, homes, report.refused);
  report.members += await importGrantMembers(ctx, survey, homes, report.refused);
  if (survey.userGrants > 0) {
    report.userGrants = await importGrants(ctx, readExport(source, path), survey, homes, report.refused);
  }
  return report;
}

/** Puts the users of a file without organizations, or of its only one, into the organization that is named. */
async function nameOrganization(
  ctx: Context,
  { name, needsOrganization }: ExportSource,
  { organizations }: Survey,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) {
    if (needsOrganization) throw new Error(`an export of ${name} names no organization: add --organization <id>`);
    return;
  }
  if (organizations.size > 1) throw new Error("the file has several organizations: leave out --organization");
  const stored = await readOrganization(ctx.db.prisma, id);
  if (!stored) throw new Error(`there is no organization with the id ${id}`);
  const [only] = organizations.values();
  const entry = { id, name: stored.name };
  if (only) only.entry = entry;
  else organizations.set(NAMED, { entry, lists: {}, projects: [], members: [] });
}

/** Leaves out identity providers that exist: an administrator may have completed their settings. */
async function keepStoredProviders(ctx: Context, survey: Survey): Promise<void> {
  const homes = await findHomes(ctx, survey);
  for (const [key, { lists }] of survey.organizations) {
    const stored = await listIdentityProviders(ctx, homes.get(key)?.id ?? "");
    const entries = (lists.identityProviders ?? []) as { name: string }[];
    if (entries.length === 0) continue;
    lists.identityProviders = entries.filter(({ name }) => !stored.some((one) => one.name === name));
  }
}

async function findHomes(ctx: Context, { organizations }: Survey): Promise<Map<string, Home | undefined>> {
  const homes = new Map<string, Home | undefined>();
  for (const [key, { entry, lists }] of organizations) {
    const domains = (lists.domains ?? []) as OrganizationEntry["domains"];
    const wanted = { ...entry, domains } as OrganizationEntry;
    const stored = await matchOrganization(ctx.db.prisma, wanted, "");
    homes.set(key, stored && { id: stored.id, name: stored.name });
  }
  return homes;
}

async function importUsers(run: Import, progress: (text: string) => void): Promise<void> {
  const { ctx, source, path, options, report, homes, pace } = run;
  const { users, survey } = report;
  const waiting = new Map<string, MovedUser[]>();
  let done = 0;
  const flush = async (key: string) => {
    const batch = waiting.get(key) ?? [];
    waiting.delete(key);
    const outcome = await paced(ctx, pace, batch.length, () =>
      importBatch(ctx, homes.get(key)?.id, batch, { ...options, survey }),
    );
    users.created += outcome.created;
    users.known += outcome.known;
    users.refused += batch.length - outcome.created - outcome.known;
    addTo(report, outcome);
    const steps = Math.floor(done / STEP);
    done += batch.length;
    if (Math.floor(done / STEP) > steps) progress(`${done} of ${survey.users} users, ${users.known} existed already`);
  };
  for await (const found of readExport(source, path)) {
    if (found.kind !== "user") continue;
    const key = found.organization ?? NAMED;
    const batch = waiting.get(key) ?? [];
    waiting.set(key, batch);
    if (batch.push(found) >= pace.size) await flush(key);
  }
  for (const key of [...waiting.keys()]) await flush(key);
}

function addTo(report: PartsReport, { authenticatorApps, links, passkeys, refused }: PartsReport): void {
  report.authenticatorApps += authenticatorApps;
  report.links += links;
  report.passkeys += passkeys;
  report.refused.push(...refused);
}

/** Adds the parts of users that the file lists apart from them. */
async function importSeparateParts({ ctx, source, path, options, report, pace }: Import): Promise<void> {
  let batch: Extract<Exported, { kind: "parts" }>[] = [];
  const importThem = async () => {
    const users = await readStoredUsers(
      ctx,
      batch.map(({ userId }) => userId),
    );
    const owners = batch.map(({ userId, parts }) => ({ parts, user: users.get(userId), name: `user ${userId}` }));
    const known = owners.filter(({ user }) => user !== undefined);
    for (const { name } of owners.filter(({ user }) => user === undefined && !options.dryRun)) {
      report.refused.push(`parts of ${name}: there is no such user`);
    }
    for (const id of new Set(known.map(({ user }) => user?.organizationId))) {
      const ofOne = known.filter(({ user }) => user?.organizationId === id);
      addTo(report, await importParts(ctx, id, ofOne, { ...options, survey: report.survey }));
    }
    batch = [];
  };
  const flush = () => paced(ctx, pace, batch.length, importThem);
  for await (const found of readExport(source, path)) {
    if (found.kind === "parts" && batch.push(found) >= pace.size) await flush();
  }
  await flush();
}
