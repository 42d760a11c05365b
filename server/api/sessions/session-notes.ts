/** What a login client may note about its sessions, and how it finds them. */
import { z } from "zod";
import { identifier, line, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import type { StoredClientData } from "../../login/client/client-data";
import { issue } from "../../protocol/reason";
import type { ListedSession, SessionMatch } from "../../sessions/list";

/** Bytes in base64 of either alphabet; empty ones remove the entry. */
const metadataValue = z
  .string()
  .max(1_000)
  .regex(/^[\w+/-]*={0,2}$/, { error: issue("base64") })
  .transform((text) => Buffer.from(text, "base64").toString("base64"));

/** A duration as protocol buffers' JSON has it, in milliseconds. */
const lifetime = z
  .string()
  .regex(/^\d{1,10}(?:\.\d{1,9})?s$/, { error: issue("seconds") })
  .transform((text) => Math.floor(Number(text.slice(0, -1)) * 1_000))
  .refine((milliseconds) => milliseconds > 0, { error: issue("seconds") });

export const notes = {
  metadata: z
    .record(line(200), metadataValue)
    .optional()
    .meta({ description: "Noted with the session, in base64; an empty value removes an entry" }),
  lifetime: lifetime.optional().meta({
    description:
      "When the session ends, from now on, such as `3600s`; no session lives longer than those of the hosted pages",
  }),
};

export const userAgent = strict({
  ip: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .meta({ description: "The address of the user, by which attempts are limited" }),
  description: line(400).optional(),
  fingerprintId: line(200).optional().meta({ description: "How the login recognizes the device" }),
  header: z.record(line(200), strict({ values: z.array(line(1_000)) })).optional(),
}).meta({ description: "The device of the user; left out, it is that of the caller" });

const SIGNS = {
  TIMESTAMP_QUERY_METHOD_EQUALS: "=",
  TIMESTAMP_QUERY_METHOD_GREATER: ">",
  TIMESTAMP_QUERY_METHOD_GREATER_OR_EQUALS: ">=",
  TIMESTAMP_QUERY_METHOD_LESS: "<",
  TIMESTAMP_QUERY_METHOD_LESS_OR_EQUALS: "<=",
} as const;
const method = z.enum(Object.keys(SIGNS) as (keyof typeof SIGNS)[]).default("TIMESTAMP_QUERY_METHOD_EQUALS");

export const sessionQueries = {
  userIdQuery: strict({ id: identifier }),
  idsQuery: strict({ ids: z.array(identifier).min(1).max(100) }),
  creationDateQuery: strict({ creationDate: instant, method }),
  expirationDateQuery: strict({ expirationDate: instant, method }),
  creatorQuery: strict({ id: identifier.optional() }).meta({
    description: "Who started the session; left out, it is the caller",
  }),
  userAgentQuery: strict({ fingerprintId: line(200) }),
};
type Queries = { [Name in keyof typeof sessionQueries]?: z.output<(typeof sessionQueries)[Name]> };

/** @param callerId the user who asks */
export function sessionMatchOf(query: Queries, callerId: string): SessionMatch {
  const { userIdQuery, idsQuery, creatorQuery, userAgentQuery, creationDateQuery, expirationDateQuery } = query;
  return {
    userId: userIdQuery?.id,
    ids: idsQuery?.ids,
    creatorId: creatorQuery && (creatorQuery.id ?? callerId),
    fingerprintId: userAgentQuery?.fingerprintId,
    ...(creationDateQuery && {
      time: { column: "createdAt", sign: SIGNS[creationDateQuery.method], at: creationDateQuery.creationDate },
    }),
    ...(expirationDateQuery && {
      time: { column: "expiresAt", sign: SIGNS[expirationDateQuery.method], at: expirationDateQuery.expirationDate },
    }),
  };
}

export const clientDataIn = ({ clientData }: Pick<ListedSession, "clientData">): StoredClientData =>
  clientData === null ? {} : (JSON.parse(clientData) as StoredClientData);
