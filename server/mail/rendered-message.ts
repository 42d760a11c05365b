/**
 * Rendered messages are sealed, as they may contain a code that gives access to an account. Settled ones are kept for a
 * month for reading only, so they are compressed: by brotli to a quarter (11.0 to 2.7 kB) within half a millisecond.
 * They have their own purpose for sealing, and a waiting one is not compressed: during an upgrade, the previous release
 * can send the messages it leases, and shows those it cannot open without their text.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

import type { Context } from "../context";
import type { OutgoingSms } from "./sms-transport";
import type { OutgoingMail } from "./transport";

interface Stored {
  /** Whether it was rendered for the organization's own provider. */
  isOrganizations?: boolean;
}

export type StoredEmail = OutgoingMail & Stored;
export type StoredSms = OutgoingSms & Stored;
/** A mail has no channel: those stored before channels existed have none. */
export type RenderedMessage = (StoredEmail & { channel?: undefined }) | StoredSms;

export function sealRendered(ctx: Context, rendered: RenderedMessage): string {
  return ctx.secrets.seal("mail", JSON.stringify(rendered));
}

/** Seals a message that will not be sent any more. */
export function sealSettled(ctx: Context, rendered: RenderedMessage): string {
  return ctx.secrets.seal(
    "settled-mail",
    brotliCompressSync(JSON.stringify(rendered), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  );
}

/** Unseals a waiting or settled message. Undefined if it was sealed with a key that is no longer configured. */
export function openRendered(ctx: Context, sealed: string): RenderedMessage | undefined {
  const opened = ctx.secrets.open("mail", sealed) ?? decompress(ctx.secrets.openBytes("settled-mail", sealed));
  return opened === undefined ? undefined : (JSON.parse(opened) as RenderedMessage);
}

function decompress(bytes: Buffer | undefined): string | undefined {
  return bytes && brotliDecompressSync(bytes).toString("utf8");
}
