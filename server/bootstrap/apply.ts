/**
 * The bootstrap file: the desired state of organizations, users, projects and apps. It is applied at every start, in
 * one transaction: creates what is missing, updates what differs, deletes nothing, and writes nothing if nothing
 * differs. Rules BOOTSTRAP-1 and BOOTSTRAP-2.
 */
import { readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Context } from "../context";
import { hashPassword } from "../crypto/password-hash";
import { changeDirectory } from "../directory/change";
import { changeInstance, type InstanceSettings } from "../directory/instance";
import { ofOrganization } from "../directory/provider/channel";
import type { ChangeContext, Origin } from "../events/record";
import type { Transaction } from "../storage/database";
import { lockInstanceRow } from "../storage/instance/instance";
import { applyClientDecisions } from "./client-decisions";
import { applyIdentityLinks, applyIdentityProviders, applyProviderMappings } from "./identity-providers";
import { applyLanguages } from "./languages";
import { applyLoginTexts } from "./login-texts";
import { BootstrapMistakes, failAt } from "./mistakes";
import { applyOrganization, matchOrganization } from "./organizations";
import { parseBootstrap } from "./parse";
import { applyPasswordHook } from "./password-hook";
import { applyProject } from "./projects";
import { applyProviders } from "./providers";
import { BOOTSTRAP, type BootstrapReport, type Run } from "./run";
import type { BootstrapFile } from "./schema";
import { parseJson } from "./strict-json";
import { applyTexts } from "./texts";
import { applyProjectGrants, applyUserGrants } from "./user-grants";
import { applyMachines, applyPeople, matchUsers } from "./users";

/** Bytes: enough for thousands of users; a wrong file is detected before it exhausts the memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Time limit of the transaction, in milliseconds; thousands of new users take longer than the usual limit. */
const MAX_DURATION = 10 * 60_000;

/**
 * Reads a file and applies it.
 * @throws BootstrapMistakes with one line for each mistake, prefixed with the name of the file; nothing was changed
 * then
 */
export function applyBootstrapFile(ctx: Context, path: string): Promise<BootstrapReport> {
  return namingFile(path, () => applyParsed(ctx, parseOrThrow(readJsonFile(path))));
}

/** Checks a file alone, without a database. @throws BootstrapMistakes */
export function parseBootstrapFile(path: string): Promise<BootstrapFile> {
  return namingFile(path, async () => parseOrThrow(readJsonFile(path)));
}

/**
 * Applies the content of a bootstrap file.
 * @throws BootstrapMistakes; nothing was changed then
 */
export async function applyBootstrap(
  ctx: Context,
  content: unknown,
  options: Partial<ApplyOptions> = {},
): Promise<BootstrapReport> {
  return applyParsed(ctx, parseOrThrow(content), options);
}

export interface ApplyOptions {
  origin: Origin;
  /** For exports, which contain no secrets: their apps get one later. */
  secretsMayBeMissing: boolean;
  /** For files sent by a caller of the API, who is subject to the policy of texts. */
  textsMayNeedApproval: boolean;
  /** Reports what would be done, and rolls it back. */
  dryRun: boolean;
}

/** Rolls back the transaction of a dry run. */
class Undone extends Error {
  constructor(readonly report: BootstrapReport) {
    super("a dry run is undone");
  }
}

function parseOrThrow(content: unknown): BootstrapFile {
  const file = parseBootstrap(content);
  if (Array.isArray(file)) throw new BootstrapMistakes(file);
  return file;
}

async function namingFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BootstrapMistakes)) throw error;
    throw new BootstrapMistakes(error.mistakes.map((mistake) => ({ ...mistake, file: path })));
  }
}

/**
 * Applies a file that was parsed without mistakes.
 * @throws BootstrapMistakes; nothing was changed then
 */
export async function applyParsed(
  ctx: Context,
  file: BootstrapFile,
  {
    origin = BOOTSTRAP,
    secretsMayBeMissing = false,
    textsMayNeedApproval = false,
    dryRun = false,
  }: Partial<ApplyOptions> = {},
): Promise<BootstrapReport> {
  const passwordHashes = await hashNewPasswords(ctx, file);
  const apply = async (ctx: ChangeContext) => {
    const instance = await lockInstanceRow(ctx.db, ctx.tx);
    if (!instance) throw new Error("the database has no instance yet");
    const report = { created: [], updated: [], warnings: [] };
    const given = { secretsMayBeMissing, textsMayNeedApproval, passwordHashes };
    const run: Run = { ctx, instance, report, ...given, domainOwners: new Map() };
    await applyFile(run, file);
    if (dryRun) throw new Undone(run.report);
    return run.report;
  };
  try {
    return await changeDirectory({ ...ctx, origin }, apply, { timeout: MAX_DURATION });
  } catch (error) {
    if (error instanceof Undone) return error.report;
    throw error;
  }
}

function readJsonFile(path: string): unknown {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) failAt("", `is too large: ${size} bytes, at most ${MAX_FILE_BYTES}`);
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof BootstrapMistakes) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") failAt("", "is not UTF-8 text");
    failAt("", code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  const json = parseJson(text);
  if ("value" in json) return json.value;
  const { line, column, reason } = json.problem;
  return failAt("", `is not JSON, line ${line} column ${column}: ${reason}`);
}

/** Hashing takes longer than everything else, so it is done before the transaction, and only for new users. */
async function hashNewPasswords(ctx: Context, file: BootstrapFile): Promise<Map<string, string>> {
  const reader: Transaction = ctx.db.prisma;
  const wanted: { path: string; password: string }[] = [];
  for (const [index, organization] of (file.organizations ?? []).entries()) {
    const path = `organizations[${index}]`;
    const stored = await matchOrganization(reader, organization, path);
    const match = await matchUsers(reader, stored?.id ?? "", organization.users ?? []);
    for (const [number, user] of (organization.users ?? []).entries()) {
      const { password } = user;
      if (password !== undefined && !match(user)) wanted.push({ path: `${path}.users[${number}]`, password });
    }
  }
  const hashes = new Map<string, string>();
  const next = wanted.values();
  const work = async () => {
    for (const { path, password } of next) hashes.set(path, await hashPassword(password));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return hashes;
}

async function applyFile(run: Run, file: BootstrapFile): Promise<void> {
  const { ctx, instance, report } = run;
  let defaultOrganizationId: string | undefined;
  let firstOrganizationId: string | undefined;
  const later: (() => Promise<void>)[] = [];
  await applyLanguages(run, file.instance?.languages ?? []);
  // Before the organizations' texts, which are checked together with the instance's.
  await applyTexts(run, instance.id, file.instance?.messageTexts ?? [], "instance");
  await applyLoginTexts(run, instance.id, file.instance?.loginTexts ?? [], "instance");
  const ofService = { level: "instance", ownerId: instance.id } as const;
  await applyProviders(run, ofService, file.instance ?? {}, "instance");
  const { identityProviders: shared = [] } = file.instance ?? {};
  await applyIdentityProviders(run, ofService, shared, "instance.identityProviders");
  later.push(() => applyProviderMappings(run, ofService, shared, "instance.identityProviders"));
  for (const [index, entry] of (file.organizations ?? []).entries()) {
    const path = `organizations[${index}]`;
    const organization = await applyOrganization(run, entry, path);
    firstOrganizationId ??= organization.id;
    if (entry.default) defaultOrganizationId = organization.id;
    await applyPeople(run, organization, entry.users ?? [], `${path}.users`);
    await applyMachines(run, organization, entry.machines ?? [], `${path}.machines`);
    for (const [number, project] of (entry.projects ?? []).entries()) {
      const at = `${path}.projects[${number}]`;
      const projectId = await applyProject(run, organization.id, project, at);
      const owner = { projectId, organizationId: organization.id };
      // Applied later, as grants may refer to users of later organizations.
      later.push(() => applyProjectGrants(run, owner, project, at));
      later.push(() => applyUserGrants(run, owner, project, at));
    }
    await applyTexts(run, organization.id, entry.messageTexts ?? [], path);
    await applyLoginTexts(run, organization.id, entry.loginTexts ?? [], path);
    const owner = ofOrganization(organization.id);
    await applyProviders(run, owner, entry, path);
    await applyIdentityProviders(run, owner, entry.identityProviders ?? [], `${path}.identityProviders`);
    const { identityProviders = [], users = [] } = entry;
    later.push(() => applyProviderMappings(run, owner, identityProviders, `${path}.identityProviders`));
    later.push(() => applyIdentityLinks(run, organization.id, users, `${path}.users`));
    await applyClientDecisions(run, organization.id, entry.clientDecisions ?? [], `${path}.clientDecisions`);
    if (entry.passwordHook) await applyPasswordHook(run, organization.id, entry.passwordHook, `${path}.passwordHook`);
  }
  for (const step of later) await step();
  const { defaultLanguage, features, security } = file.instance ?? {};
  const settings: Partial<InstanceSettings> = {
    defaultLanguage,
    // A service with organizations needs a default one: the marked one, else the first of the file.
    defaultOrganizationId: defaultOrganizationId ?? instance.defaultOrganizationId ?? firstOrganizationId,
    features: features && { ...instance.features, ...features },
    security: security && { ...instance.security, ...security },
  };
  if (await changeInstance(ctx, instance, settings)) report.updated.push("instance");
}
