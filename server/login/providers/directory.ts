/**
 * Asks an LDAP directory for a user, and whether a password is theirs. The servers are tried in order; one that gave no
 * answer is left out for some seconds. The filter is built of values and not of text, exactly one entry must match,
 * and referrals are not followed. An empty password is never sent, as directories accept it for anyone (RFC 4513
 * §5.1.2). What one directory makes slow is bounded: its sign-ins have a queue of their own.
 */
import { AndFilter, type Client, type Entry, EqualityFilter, OrFilter, ResultCodeError } from "ldapts";
import { createKeyedQueues, QueueFull } from "../../concurrency/queue";
import { parseDuration } from "../../config/value-parsers";
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { permittedAddresses } from "../../directory/identity-provider/ldap-form";
import { NoDirectory, withDirectory } from "../../net/directory-connection";
import type { DirectorySettings } from "../../protocol/identity-provider";
import { claimsOfEntry, type DirectoryUser } from "./directory-entry";

/** The steps in their order, as they are named in the sign-in attempt. */
type DirectoryStep = "connect" | "service_bind" | "search" | "entry" | "bind";

export type DirectoryOutcome =
  | { kind: "user"; user: DirectoryUser }
  /** No user, several, or a wrong password; `step` says which, and `detail` names no value. */
  | { kind: "refused"; step: "search" | "bind"; detail: string }
  /** The password must not be tried now. */
  | { kind: "blocked" }
  /** The directory gave no answer, or an answer that shows wrong settings. */
  | { kind: "failed"; detail: string }
  | { kind: "busy" };

export interface DirectoryQuestion {
  loginName: string;
  /** Undefined: the entry is read, and no password is checked. */
  password?: string;
  /** Called with the entry before its password is checked; false if it must not be. */
  mayBind?(user: DirectoryUser): Promise<boolean>;
}

export type AskedDirectory = Pick<IdentityProvider, "id" | "ownerId" | "secret"> & { settings: DirectorySettings };

const queues = createKeyedQueues();
/** Connections to one directory by one process, and how many sign-ins may wait for one. */
const LIMIT = { atOnce: 8, waiting: 32 };
const TIMEOUT = 5_000;
/** Milliseconds for all servers together. */
const OVERALL_TIMEOUT = 20_000;
/** How long a server that gave no answer is not asked again, in milliseconds. */
const RETRY_AFTER_SILENCE = 15_000;
/** Beyond this many, all are asked again. */
const MAX_SILENT = 1_000;
const silentSince = new Map<string, number>();

/** Asks the directory. Never rejects. @param question undefined: only whether the service itself can sign in */
export async function askDirectory(
  ctx: Context,
  directory: AskedDirectory,
  question?: DirectoryQuestion,
): Promise<DirectoryOutcome | { kind: "reached" }> {
  try {
    return await queues.run(directory.id, LIMIT, () => askInOrder(ctx, directory, question));
  } catch (error) {
    if (error instanceof QueueFull) return { kind: "busy" };
    return { kind: "failed", detail: error instanceof Error ? error.message.slice(0, 300) : "unforeseen" };
  }
}

async function askInOrder(ctx: Context, directory: AskedDirectory, question: DirectoryQuestion | undefined) {
  const { settings, ownerId } = directory;
  const { servers, startTls = false, rootCa, timeout } = settings;
  const silent = (address: string) => `${directory.id} ${address}`;
  const end = performance.now() + OVERALL_TIMEOUT;
  let last = "connect: no server answered a moment ago";
  for (const address of servers) {
    if (ctx.clock() - (silentSince.get(silent(address)) ?? 0) < RETRY_AFTER_SILENCE) continue;
    const left = Math.floor(end - performance.now());
    if (left <= 0) break;
    const url = new URL(address);
    const server = {
      ...{ url, startTls, rootCa, resolve: ctx.resolver?.addresses },
      timeout: Math.min(left, parseDuration(timeout ?? "") ?? TIMEOUT),
      isPermitted: await permittedAddresses(ctx, ownerId, url),
    };
    try {
      return await withDirectory(server, (client) => askServer(client, directory, question));
    } catch (error) {
      if (!(error instanceof NoDirectory)) throw error;
      last = `connect: ${url.host}: ${error.message}`;
      if (silentSince.size >= MAX_SILENT) silentSince.clear();
      silentSince.set(silent(address), ctx.clock());
    }
  }
  throw new Error(last);
}

async function askServer(
  client: Client,
  { settings, secret }: AskedDirectory,
  question: DirectoryQuestion | undefined,
): Promise<DirectoryOutcome | { kind: "reached" }> {
  let step: DirectoryStep = "service_bind";
  const passed: DirectoryStep[] = ["connect"];
  const next = (following: DirectoryStep) => {
    passed.push(step);
    step = following;
  };
  const because = (why: string) => `${step}: ${why} (passed: ${passed.join(", ")})`;
  try {
    if (!secret) return { kind: "failed", detail: because("the key that sealed the password is lost") };
    await client.bind(settings.bindDn, secret);
    if (!question) return { kind: "reached" };
    next("search");
    const { loginName, password, mayBind } = question;
    const entries = await findEntries(client, settings, loginName);
    const [entry] = entries;
    if (!entry || entries.length > 1) {
      const why = entry ? "several entries have this name" : "no entry has this name";
      return { kind: "refused", step: "search", detail: because(why) };
    }
    next("entry");
    const user = claimsOfEntry(entry, settings);
    if (typeof user === "string") return { kind: "failed", detail: because(user) };
    if (password === undefined) return { kind: "user", user };
    next("bind");
    if (password === "") return { kind: "refused", step: "bind", detail: because("the password is empty") };
    if (mayBind && !(await mayBind(user))) return { kind: "blocked" };
    await client.bind(user.bindName, password);
    return { kind: "user", user };
  } catch (error) {
    if (!(error instanceof ResultCodeError)) throw error;
    if (UNAVAILABLE.has(error.code)) throw new NoDirectory(because(resultText(error)));
    const detail = because(resultText(error));
    // The other codes of a bind are the password policy of the directory: expired, locked, must be changed.
    return (step as DirectoryStep) === "bind" ? { kind: "refused", step: "bind", detail } : { kind: "failed", detail };
  }
}

/** busy, unavailable (RFC 4511 §4.1.9). */
const UNAVAILABLE = new Set([51, 52]);

/** Returns the entries that have the name in one of the attributes, two at most. */
async function findEntries(client: Client, settings: DirectorySettings, loginName: string): Promise<Entry[]> {
  const { baseDn, userObjectClasses = [], userFilters, userBase, attributes } = settings;
  const filter = new AndFilter({
    filters: [
      ...userObjectClasses.map((value) => new EqualityFilter({ attribute: "objectClass", value })),
      new OrFilter({ filters: userFilters.map((attribute) => new EqualityFilter({ attribute, value: loginName })) }),
    ],
  });
  const { searchEntries } = await client.search(baseDn, {
    ...{ scope: "sub", derefAliases: "never", filter, sizeLimit: 2, timeLimit: OVERALL_TIMEOUT / 1_000 },
    attributes: [...new Set([...Object.values(attributes), ...(userBase ? [userBase] : []), "memberOf"])],
    explicitBufferAttributes: ["objectGUID", "objectSid", "entryUUID", attributes.idAttribute],
  });
  return searchEntries;
}

/** What the result codes mean for an administrator (RFC 4511 §A.2). */
const RESULTS: Readonly<Record<number, string>> = {
  4: "several entries have this name",
  8: "it requires another kind of sign-in, or TLS",
  10: "it refers to another server, which is not followed",
  13: "it requires TLS",
  32: "baseDn does not exist there",
  34: "the DN is not well-formed",
  49: "name or password is wrong",
  50: "the account may not read this",
};

/** What Active Directory adds to code 49. */
const REASONS_OF_AD: Readonly<Record<string, string>> = {
  "52e": "the password is wrong",
  "530": "sign-in is not permitted at this time",
  "532": "the password has expired",
  "533": "the account is disabled",
  "701": "the account has expired",
  "773": "the password must be changed",
  "775": "the account is locked",
};

/** The code in words, without the server's own text, which may repeat names. */
function resultText({ code, message }: ResultCodeError): string {
  const ofAd = REASONS_OF_AD[/\bdata ([0-9a-f]{3})\b/.exec(message)?.[1] ?? ""];
  return `${ofAd ?? RESULTS[code] ?? "the directory refused it"} (result ${code})`;
}
