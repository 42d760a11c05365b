/**
 * The settings of an LDAP directory, and where it may be. The rule is that of mail servers: known ports, and public
 * addresses only (attack: the owner of an organization scans our network). The operator may permit other networks for
 * the instance's providers. Passwords are only sent over TLS.
 */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { parseDuration } from "../../config/value-parsers";
import type { Context } from "../../context";
import {
  DIRECTORY_ATTRIBUTES,
  type DirectoryAttribute,
  type DirectorySettings,
} from "../../protocol/identity-provider";
import { isInNetworks, networkList } from "../../protocol/networks";
import { isLoopbackUri, isPublicAddress } from "../../protocol/public-address";
import { issue, type Reason, reason } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { line, strict } from "../fields";
import { findInstance } from "../instance";
import { callRules } from "../provider/webhook";

/** LDAP, LDAP over TLS, and the same of the global catalog of Active Directory. */
const PORTS = new Set(["", "389", "636", "3268", "3269"]);

/** RFC 4512 §1.4: a name or an object identifier. */
const attributeName = z.string().regex(/^([A-Za-z][A-Za-z0-9-]{0,99}|\d+(\.\d+){1,20})$/, {
  error: issue("directory_attribute"),
});
const optionalName = attributeName.or(z.literal("")).optional();
const few = { error: issue("entries", { n: 10 }) };
const one = { error: issue("least_entries", { n: 1 }) };

const attributes = strict({
  ...(Object.fromEntries(DIRECTORY_ATTRIBUTES.map((name) => [name, optionalName])) as unknown as Record<
    DirectoryAttribute,
    typeof optionalName
  >),
  idAttribute: attributeName,
});

export const directoryFields = {
  servers: z
    .array(line(300))
    .min(1, one)
    .max(5, { error: issue("entries", { n: 5 }) })
    .meta({
      description: "`ldaps://` or `ldap://` addresses, which are tried in order",
    }),
  startTls: z.boolean().optional().meta({ description: "TLS on `ldap://`. Without TLS no password is sent" }),
  baseDn: line(1_000).meta({ description: "Users are searched below this entry" }),
  bindDn: line(1_000).meta({ description: "The account that searches for users" }),
  bindPassword: line(1_000).or(z.literal("")).optional(),
  userBase: optionalName.meta({
    description: "The attribute whose value is bound with the user's password. Defaults to `dn`, the entry's own name",
  }),
  userObjectClasses: z.array(attributeName).max(10, few).optional(),
  userFilters: z.array(attributeName).min(1, one).max(10, few).meta({
    description: "The attributes of which one must be the typed login name",
  }),
  timeout: z
    .string()
    .refine((text) => isBetween(parseDuration(text), 1_000, 20_000), {
      error: issue("duration_most", { most: "20s" }),
    })
    .optional()
    .meta({ description: "How long one server may take, at most `20s`. Defaults to `5s`" }),
  rootCa: z.string().max(50_000).optional().meta({
    description: "The certificates to trust instead of the public ones, as PEM or its base64",
  }),
  emailVerified: z.boolean().optional().meta({ description: "The directory's email addresses count as verified" }),
  attributes: attributes.meta({ description: "The directory's names of the attributes; `idAttribute` never changes" }),
};

const isBetween = (value: number | undefined, least: number, most: number) =>
  value !== undefined && value >= least && value <= most;

/** Checks what the types do not, and returns what is stored in another form than it was sent. */
export function readDirectory(
  ctx: Context,
  given: Partial<DirectorySettings>,
): Pick<DirectorySettings, "rootCa" | "attributes"> | { field: string; why: Reason } {
  for (const [index, server] of (given.servers ?? []).entries()) {
    const why = whyNotAsked(ctx, server, given.startTls ?? false);
    if (why) return { field: `servers[${index}]`, why };
  }
  const { rootCa = "" } = given;
  const named = Object.entries(given.attributes ?? {}).filter(([, name]) => name);
  const attributes = Object.fromEntries(named) as DirectorySettings["attributes"];
  if (rootCa === "") return { rootCa: undefined, attributes };
  const pem = rootCa.includes("-----BEGIN") ? rootCa : Buffer.from(rootCa, "base64").toString("utf8");
  return areCertificates(pem) ? { rootCa: pem, attributes } : { field: "rootCa", why: reason("certificates") };
}

function whyNotAsked(ctx: Context, server: string, startTls: boolean): Reason | undefined {
  const url = parseUrl(server);
  const isBare = url && /^\/?$/.test(url.pathname) && !/[?#@]/.test(server) && url.hostname !== "";
  if (!isBare || !/^ldaps?:$/.test(url.protocol)) return reason("directory_address");
  if (isOwnMachine(ctx, url)) return undefined;
  if (!PORTS.has(url.port)) return reason("directory_port");
  if (url.protocol === "ldap:" && !startTls) return reason("directory_tls");
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const isOutside = isIP(literal) === 0 || isPublicAddress(literal) || isInNetworks(networksOf(ctx), literal);
  return isOutside && !/(^|\.)localhost\.?$/.test(url.hostname) ? undefined : reason("private_network");
}

/** Whether the directory is on the machine of a service in development. */
const isOwnMachine = (ctx: Context, url: URL): boolean =>
  callRules(ctx).onLoopback && isLoopbackUri(url.href.replace(/^ldaps?:/, "http:"));

const networksOf = ({ config }: Context) => networkList(config.ldapNetworks);

/** Returns which addresses the service may connect to for a provider; a name may lead elsewhere by now. */
export async function permittedAddresses(ctx: Context, ownerId: string, url: URL): Promise<(one: string) => boolean> {
  if (isOwnMachine(ctx, url)) return () => true;
  const inside = ownerId === (await findInstance(ctx)).id ? networksOf(ctx) : networkList([]);
  return (address) => isPublicAddress(address) || isInNetworks(inside, address);
}

function areCertificates(pem: string): boolean {
  const each = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    return each.length > 0 && each.length <= 20 && each.every((one) => new X509Certificate(one));
  } catch {
    return false;
  }
}
