/** The credentials and keys of a mail server besides its password, in the form of the API (server-keys.ts). */
import { z } from "zod";
import { issue } from "../../protocol/reason";
import { domain, line, strict, text } from "../fields";

/** RFC 6376 §3.1: a domain name below `_domainkey`, often with a single label. */
const selector = line(63).regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i, {
  error: issue("domain"),
});
/** RFC 6749 §3.3. */
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, { error: issue("printable") });

export const xoauth2 = strict({
  tokenEndpoint: line(2_000),
  scopes: z
    .array(scope)
    .max(20, { error: issue("entries", { n: 20 }) })
    .optional(),
  clientCredentials: strict({
    clientId: line(500),
    clientSecret: line(2_000).optional(),
  }),
}).meta({
  description: "Access tokens instead of a password (XOAUTH2), obtained with client credentials. `user` is required",
});

export const dkim = strict({
  domain,
  selector,
  privateKey: text(10_000).optional(),
}).meta({ description: "DKIM signature of the mails: an RSA key of 2048 to 4096 bits, PEM" });
