/**
 * Creates the first administrator. Starting the service prints a link that works once within an hour; the person who
 * uses it becomes the administrator. There is no default password that an operator could forget to change.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { hashPassword } from "../../crypto/password-hash";
import { randomSecret } from "../../crypto/random";
import { asSystem, type ChangeContext, record } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { lockInstanceRow } from "../../storage/instance/instance";
import { anyOrganization } from "../../storage/organization/organization";
import {
  consumeOneTimeToken,
  insertOneTimeToken,
  isOneTimeTokenValid,
  voidOneTimeTokens,
} from "../../storage/user/one-time-tokens";
import { readLoginNameOwner } from "../../storage/user/user";
import { changeDirectory } from "../change";
import { email, line, name } from "../fields";
import { changeInstance, findInstance } from "../instance";
import { addMembership } from "../member/membership";
import { addOrganizationWithDomain } from "../organization/organization";
import { builtIn } from "../policy/built-in";
import { claimIdentity, userKeys } from "../user/login-name";
import { checkChosenPassword, type PasswordProblem } from "../user/password-policy";
import { addPerson } from "../user/user";

/** Milliseconds. */
const LINK_LIFETIME = 3_600_000;
/** Returns whether the service has not been set up yet, so that a setup link may create the first administrator. */
export async function isEmpty(ctx: Context): Promise<boolean> {
  return !(await anyOrganization(ctx.db));
}

/** Returns the URL of the page that creates the administrator; printed once, stored only as a digest. */
export async function createSetupLink(ctx: Context): Promise<string> {
  const secret = randomSecret();
  const instance = await findInstance(ctx);
  const expiresAt = ctx.clock() + LINK_LIFETIME;
  await record(asSystem(ctx), {
    type: "instance.setup_link.created",
    object: { id: instance.id, organizationId: instance.id },
    async state({ tx }, createdAt) {
      const token = { digest: digest(secret), purpose: "setup", subjectId: null, payload: {} } as const;
      await insertOneTimeToken(tx, { ...token, createdAt, expiresAt });
      return { payload: { expiresAt: new Date(expiresAt).toISOString() } };
    },
  });
  return `${ctx.config.baseUrl}/setup?token=${secret}`;
}

/** Returns whether a link still works, without consuming it. */
export const isSetupLinkOpen = (ctx: Context, token: string) => isOpenIn(ctx.db.prisma, ctx, token);

function isOpenIn(tx: Transaction, ctx: Context, token: string): Promise<boolean> {
  return isOneTimeTokenValid(tx, digest(token), "setup", ctx.clock());
}

export interface SetupForm {
  /** From the link. */
  token: string;
  organizationName: string;
  email: string;
  givenName: string;
  familyName: string;
  password: string;
  /** The language of the form's page, which becomes the administrator's and the service's. */
  language: string;
}

export type SetupField = "organizationName" | "email" | "givenName" | "familyName" | "password";

export type SetupOutcome =
  | { kind: "done"; userId: string; organizationId: string; loginName: string }
  /** Unknown, expired or used; nothing has changed. */
  | { kind: "link-invalid" }
  /** The link still works. */
  | { kind: "form-invalid"; fields: readonly SetupField[]; password?: PasswordProblem }
  /** The address is already a user's login name; the link still works. */
  | { kind: "login-name-taken" };

const form = z.object({ organizationName: name, email, givenName: line(200), familyName: line(200) });

/** Creates the organization and its administrator and consumes the link, in one transaction. */
export async function completeSetup(ctx: Context, given: SetupForm): Promise<SetupOutcome> {
  if (!(await isSetupLinkOpen(ctx, given.token))) return { kind: "link-invalid" };
  const parsed = form.safeParse(given);
  const names = [given.organizationName, given.email, given.givenName, given.familyName];
  const password = checkChosenPassword(given.password, builtIn.password, names);
  if (!parsed.success || password) {
    const fields = (parsed.error?.issues ?? []).map((issue) => issue.path[0] as SetupField);
    return {
      kind: "form-invalid",
      fields: [...new Set([...fields, ...(password ? ["password" as const] : [])])],
      password,
    };
  }
  const passwordHash = await hashPassword(given.password);
  return changeDirectory(asSystem(ctx), async (ctx): Promise<SetupOutcome> => {
    const instance = await lockInstanceRow(ctx.db, ctx.tx);
    if (!instance) throw new Error("the database has no instance yet");
    const { loginNameKey } = userKeys(parsed.data.email, "");
    if ((await readLoginNameOwner(ctx.tx, loginNameKey)) !== undefined) {
      // If the same form was sent twice, the link no longer works.
      return { kind: (await isOpenIn(ctx.tx, ctx, given.token)) ? "login-name-taken" : "link-invalid" };
    }
    if (!(await consumeOneTimeToken(ctx.tx, digest(given.token), "setup", ctx.clock())))
      return { kind: "link-invalid" };
    await voidOneTimeTokens(ctx.db, ctx.tx, "setup", ctx.clock());
    const made = await addAdministrator(ctx, instance.id, {
      ...parsed.data,
      language: given.language,
      passwordHash,
    });
    // The first organization becomes the default, in which login names without a domain are looked up.
    const first = instance.defaultOrganizationId === null;
    const settings = { defaultOrganizationId: made.organizationId, defaultLanguage: given.language };
    if (first) await changeInstance(ctx, instance, settings);
    return { kind: "done", ...made, loginName: parsed.data.email };
  });
}

async function addAdministrator(
  ctx: ChangeContext,
  instanceId: string,
  person: z.output<typeof form> & { language: string; passwordHash: string },
): Promise<{ userId: string; organizationId: string }> {
  const organization = await addOrganizationWithDomain(ctx, { name: person.organizationName });
  if (isApiError(organization)) throw new Error(organization.message); // cannot happen: its id is new
  const { id: organizationId } = organization;
  const identity = await claimIdentity(ctx, { kind: "human", organizationId, userName: person.email });
  if (isApiError(identity)) throw new Error(identity.message); // cannot happen: the name was free
  await addPerson(ctx, identity, {
    firstName: person.givenName,
    lastName: person.familyName,
    preferredLanguage: person.language,
    email: person.email,
    // Choice: the holder of the setup link runs the service and vouches for the address.
    isEmailVerified: true,
    passwordHash: person.passwordHash,
  });
  const { id: userId } = identity;
  const levels = { userId, instanceId, organizationId };
  await addMembership(ctx, { ...levels, role: "IAM_OWNER" });
  await addMembership(ctx, { ...levels, role: "ORG_OWNER" });
  return { userId, organizationId };
}
