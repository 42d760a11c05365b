/**
 * Parses SMTP_URL: `smtp://user:password@host:587`, `smtps://host`. With a password the connection must use TLS
 * (STARTTLS), except on this machine. `?ignoreTLS=true` and `?requireTLS=true` override this, `?name=` sets the name in
 * EHLO.
 */
import { isLoopback } from "../config/value-parsers";

export interface SmtpOptions {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  requireTLS: boolean;
  ignoreTLS: boolean;
  name?: string;
  auth?: { user: string; pass: string };
}

/** RFC 6409 §3.1 (submission) and RFC 8314 §3.3 (submission over TLS). */
const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

export function smtpOptions(smtpUrl: string): SmtpOptions {
  const url = new URL(smtpUrl);
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const auth = url.username === "" ? undefined : { user: decode(url.username), pass: decode(url.password) };
  const isHere = isLoopback(`http://${url.hostname || "invalid"}`);
  const wish = (name: string) => url.searchParams.get(name) === "true";
  return {
    host,
    port: url.port === "" ? PORTS[secure ? "smtps:" : "smtp:"] : Number(url.port),
    secure,
    ignoreTLS: wish("ignoreTLS"),
    requireTLS: !secure && !wish("ignoreTLS") && (wish("requireTLS") || (auth !== undefined && !isHere)),
    name: url.searchParams.get("name") ?? undefined,
    auth,
  };
}

/** Decodes percent-encoding; an invalid `%` is kept, as people paste passwords without encoding them. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
