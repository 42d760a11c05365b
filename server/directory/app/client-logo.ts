/**
 * Logos of clients that no administrator registered (`logo_uri`, RFC 7591 §2). The service fetches them and shows them
 * from its own origin, so that a client does not learn who looks at the page. Attacks: requests to our own network
 * (net/guarded-fetch), a document with scripts that says it is a picture, a picture that fills the memory.
 */
import { createQueue, QueueFull } from "../../concurrency/queue";
import type { Context } from "../../context";
import { documentLifetime, FAILURE_LIFETIME } from "../../protocol/client-document";
import { type PictureType, readGif, readPicture } from "../branding/picture";
import { callFor, refuseClientAddress } from "./client-documents";

const MAX_BYTES = 128 * 1024;
/** Pixels of the longer side. */
const MAX_SIDE = 2_048;
/** How many addresses are remembered; beyond that the oldest is dropped. */
const MAX_LOGOS = 200;
const ACCEPT = "image/png, image/jpeg, image/webp, image/gif";

export interface ClientLogo {
  contentType: PictureType | "image/gif";
  content: Uint8Array<ArrayBuffer>;
}

interface Entry {
  /** Undefined if the address has no logo that can be shown. */
  logo: Promise<ClientLogo | undefined>;
  /** Epoch milliseconds from which it is fetched again. */
  until: number;
}

const logosOf = new WeakMap<Context["db"], Map<string, Entry>>();
const fetching = createQueue({ atOnce: () => 4, longest: () => 32, refuse: () => new QueueFull() });

/** Returns a logo, from memory if it is fresh; concurrent callers share one fetch. */
export async function findLogo(ctx: Context, address: string): Promise<ClientLogo | undefined> {
  const logos = logosOf.get(ctx.db) ?? new Map<string, Entry>();
  logosOf.set(ctx.db, logos);
  const known = logos.get(address);
  if (known && ctx.clock() < known.until) return known.logo;
  logos.delete(address);
  if (logos.size >= MAX_LOGOS) logos.delete(logos.keys().next().value ?? "");
  const fetched = fetchLogo(ctx, address);
  const entry: Entry = { logo: fetched.then(({ logo }) => logo), until: Number.POSITIVE_INFINITY };
  logos.set(address, entry);
  entry.until = (await fetched).until;
  return entry.logo;
}

async function fetchLogo(ctx: Context, address: string): Promise<{ logo?: ClientLogo; until: number }> {
  const answer = await get(ctx, address);
  const now = ctx.clock();
  const logo = "bytes" in answer ? pictureIn(answer.bytes) : undefined;
  if (logo && "headers" in answer) return { logo, until: now + documentLifetime(answer.headers, now) };
  ctx.log.info({ logoUri: address, reason: "error" in answer ? answer.error : "it is no picture" }, "logo not shown");
  return { until: now + FAILURE_LIFETIME };
}

async function get(ctx: Context, address: string): ReturnType<typeof callFor> {
  const refused = refuseClientAddress(ctx, address);
  if (refused !== undefined) return { error: `the address ${refused}` };
  try {
    const call = () => callFor(ctx, address, { largest: MAX_BYTES, accept: ACCEPT });
    return await fetching.run(call, undefined, new URL(address).host);
  } catch {
    return { error: "too many logos are being fetched" };
  }
}

/** Returns the picture by its first bytes, whatever type it was sent with. */
function pictureIn(content: Uint8Array<ArrayBuffer>): ClientLogo | undefined {
  const gif = readGif(content);
  const facts = gif ? { ...gif, contentType: "image/gif" as const } : readPicture(content);
  if (!facts || Math.max(facts.width, facts.height) > MAX_SIDE) return undefined;
  return { contentType: facts.contentType, content };
}
