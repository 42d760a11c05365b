/**
 * Access tokens used instead of a mail server's password (SASL XOAUTH2), obtained by the client credentials grant (RFC
 * 6749 §4.4). A token is used until a minute before its expiry; concurrent deliveries that need a new one share the
 * request.
 */
import { z } from "zod";
import type { Context } from "../context";
import type { Xoauth2Client } from "../directory/provider/address";
import type { AccessTokenSource } from "./transport";
import { call, isAccepted, oneLine, type WebhookOptions } from "./webhook";

/** RFC 6749 §5.1; a missing lifetime counts as five minutes. */
const answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().catch(300) });
/** RFC 6749 §5.2. */
const refusal = z.object({ error: z.string(), error_description: z.string().optional() });

/** How long before its expiry a token is no longer used, in milliseconds. */
const MARGIN = 60_000;

export function accessTokens(ctx: Context, client: Xoauth2Client, options: WebhookOptions = {}): AccessTokenSource {
  let known: { token: string; usableUntil: number } | undefined;
  let asked: Promise<{ token: string } | { error: string }> | undefined;

  const ask = async () => {
    const { tokenEndpoint, scopes, clientId, clientSecret } = client;
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    if (scopes.length > 0) body.set("scope", scopes.join(" "));
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString("base64")}`,
    };
    const outcome = await call(ctx, tokenEndpoint, { body: body.toString(), headers }, options);
    if ("error" in outcome) return { error: oneLine(`the token endpoint: ${outcome.error}`) };
    const said = readJson(outcome.text);
    const issued = isAccepted(outcome.status) ? answer.safeParse(said) : undefined;
    if (!issued?.success) return { error: oneLine(`the token endpoint: ${whyRefused(outcome.status, said)}`) };
    const { access_token: token, expires_in: seconds } = issued.data;
    known = { token, usableUntil: ctx.clock() + seconds * 1_000 - MARGIN };
    return { token };
  };

  return {
    async next() {
      if (known && known.usableUntil > ctx.clock()) return { token: known.token };
      asked ??= ask().finally(() => {
        asked = undefined;
      });
      return asked;
    },
    forget() {
      known = undefined;
    },
  };
}

/** Form-encodes a credential before concatenation (RFC 6749 §2.3.1). */
const encoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whyRefused(status: number, said: unknown): string {
  const refused = refusal.safeParse(said);
  if (!refused.success) return String(status);
  const { error, error_description: description = "" } = refused.data;
  return [status, error, description].join(" ").trim();
}
