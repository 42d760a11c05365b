/**
 * The identifiers of users and sessions as clients see them (OIDC Core §8): all that leaves the service for a client,
 * and all that comes back, passes through here. A client with pairwise subjects gets identifiers of its sector, which
 * differ from those of any other sector, so that clients cannot find out that they have a user in common. They are
 * encrypted with AES-SIV (RFC 5297), which is deterministic, under a key of the database: equal on every node and after
 * a rotation of SECRET_KEY, and readable without a table. Attack: a client that names a user by an identifier it got
 * from another sector.
 */
import { type CipherGCMTypes, createCipheriv, createDecipheriv } from "node:crypto";
import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import type { Actor } from "../protocol/actor";
import type { TokenClient } from "../protocol/client";
import { findPairwiseKey, insertPairwiseKey } from "../storage/instance/instance";

/** What decides how a client sees identifiers; undefined for a machine, which sees them as they are. */
type Viewer = Pick<TokenClient, "sector"> | undefined;

/** @types/node has no overload for it; it is used like GCM, without a nonce. */
const ALGORITHM = "aes-256-siv" as string as CipherGCMTypes;
const TAG_BYTES = 16;
/** Ids are padded to a multiple of this, as their length could be recognized. */
const BLOCK = 32;
/** Longer ids are not readable again: a subject has at most 255 characters (OIDC Core §2). */
const LONGEST_READABLE = 160;

/** Returns the `sub` of a user for a client. */
export const subjectFor = (ctx: Context, client: Viewer, userId: string): Promise<string> =>
  concealed(ctx, client, "sub", userId);

/** Returns the `sid` of a session for a client: a shared one would reveal what pairwise subjects conceal. */
export const sessionFor = (ctx: Context, client: Viewer, sessionId: string): Promise<string> =>
  concealed(ctx, client, "sid", sessionId);

/** Returns the user whom a client means; undefined if the client has never seen the identifier. */
export const userOfSubject = (ctx: Context, client: Viewer, subject: string): Promise<string | undefined> =>
  revealed(ctx, client, "sub", subject);

/** Returns the session that a client means; undefined if the client has never seen the identifier. */
export const sessionOfSid = (ctx: Context, client: Viewer, sid: string): Promise<string | undefined> =>
  revealed(ctx, client, "sid", sid);

/** Returns the claim `act` for a client: actors are users too. */
export async function actorFor(ctx: Context, client: Viewer, actor: Actor | undefined): Promise<Actor | undefined> {
  if (!actor || client?.sector === undefined) return actor;
  const act = await actorFor(ctx, client, actor.act);
  return { ...actor, sub: await subjectFor(ctx, client, actor.sub), ...(act && { act }) };
}

type Kind = "sub" | "sid";

async function concealed(ctx: Context, client: Viewer, kind: Kind, id: string): Promise<string> {
  if (client?.sector === undefined) return id;
  const cipher = createCipheriv(ALGORITHM, await pairwiseKey(ctx), "");
  cipher.setAAD(associated(kind, client.sector));
  const body = cipher.update(id.padEnd(Math.ceil(id.length / BLOCK) * BLOCK, "\0"), "utf8");
  cipher.final();
  const tag = cipher.getAuthTag();
  return (id.length > LONGEST_READABLE ? tag : Buffer.concat([tag, body])).toString("base64url");
}

async function revealed(ctx: Context, client: Viewer, kind: Kind, seen: string): Promise<string | undefined> {
  if (client?.sector === undefined) return seen;
  const bytes = Buffer.from(seen, "base64url");
  if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== seen) return undefined;
  const decipher = createDecipheriv(ALGORITHM, await pairwiseKey(ctx), "");
  decipher.setAAD(associated(kind, client.sector)).setAuthTag(bytes.subarray(0, TAG_BYTES));
  try {
    const body = decipher.update(bytes.subarray(TAG_BYTES));
    decipher.final();
    return body.toString("utf8").replace(/\0+$/, "");
  } catch {
    return undefined; // of another sector, or invented
  }
}

const associated = (kind: Kind, sector: string) => Buffer.from(`${kind} ${sector}`, "utf8");

const keys = new WeakMap<Context["db"], Promise<Buffer>>();

/** Returns the key, which is made when the first pairwise identifier is needed and never changes. */
function pairwiseKey(ctx: Context): Promise<Buffer> {
  const known = keys.get(ctx.db) ?? openKey(ctx);
  keys.set(ctx.db, known);
  known.catch(() => keys.delete(ctx.db));
  return known;
}

async function openKey(ctx: Context): Promise<Buffer> {
  let sealed = await findPairwiseKey(ctx.db);
  if (sealed === null) {
    await insertPairwiseKey(ctx.db, ctx.secrets.seal("pairwise", `${randomSecret()} ${randomSecret()}`));
    sealed = await findPairwiseKey(ctx.db);
  }
  const key = sealed === null ? undefined : ctx.secrets.open("pairwise", sealed);
  if (key === undefined) throw new Error("the key of pairwise subjects was sealed with another SECRET_KEY");
  return Buffer.concat(key.split(" ").map((half) => Buffer.from(half, "base64url")));
}
