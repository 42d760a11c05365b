/** The recorded calls of the tests in docs/api-examples (server/testing/scenarios/recorded.ts). */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../root";
import type { OAuthExample } from "./oauth/endpoint";

export interface Example {
  /** The path with its parameters filled in, and the query. */
  address: string;
  /** In `x-service-orgid`. */
  organizationId?: string;
  body?: unknown;
  status: number;
  answer: unknown;
}

const FOLDER = "docs/api-examples";
/** The file of the examples that belong to no operation. */
const OAUTH = "oauth.json";

/** The origin of the service in the tests. */
const TESTED_AT = "http://localhost:8080";

/** By the ids of operations. @param baseUrl where this service is */
export function readExamples(baseUrl: string): ReadonlyMap<string, Example> {
  const files = readdirSync(path.join(root, FOLDER)).filter((name) => name.endsWith(".json") && name !== OAUTH);
  return new Map(files.flatMap((name) => Object.entries(read<Record<string, Example>>(name, baseUrl))));
}

export const readOAuthExamples = (baseUrl: string): OAuthExample[] => read<OAuthExample[]>(OAUTH, baseUrl);

const read = <Content>(name: string, baseUrl: string): Content =>
  JSON.parse(
    readFileSync(path.join(root, FOLDER, name), "utf8")
      .replaceAll(TESTED_AT, baseUrl)
      .replaceAll(encodeURIComponent(TESTED_AT), encodeURIComponent(baseUrl)),
  ) as Content;
