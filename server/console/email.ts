/**
 * Serves a mail's HTML as a page for a frame. Its content is untrusted, so it may run no scripts, load only pictures,
 * and has an opaque origin: it cannot access the console around it.
 */

import type { Http } from "../http/env";
import type { OutgoingMail } from "../mail/transport";

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'", // as in every mail
  "img-src 'self' data: https:", // an organization's logo
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "sandbox",
].join("; ");

export function emailResponse(http: Http, { html }: Pick<OutgoingMail, "html">): Response {
  return http.body(html, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-store",
  });
}
