/** The permitted values of path parameters. */
import { type ApiError, notFound } from "../../protocol/api-error";
import type { Operation, PathParameters } from "./operation";

/** Ids, domains and language tags (rule ID-1). */
const PARAMETER = /^[A-Za-z0-9._@:~-]{1,300}$/;
/**
 * Keys that users choose, such as role keys, and ids of accounts elsewhere; without control characters, because
 * PostgreSQL rejects U+0000.
 */
const KEY = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const IS_KEY = /Key$|^linkedUserId$/;

/** The refusal of parameters that cannot name anything; undefined where the operation checks them itself. */
export function misfitRefusal({ checkParameters }: Operation, parameters: PathParameters): ApiError | undefined {
  if (checkParameters || Object.entries(parameters).every(isWellFormed)) return undefined;
  return notFound("resource.not_found", "Nothing exists with this ID. Check it and try again.");
}

const isWellFormed = ([name, value]: [string, string]) => (IS_KEY.test(name) ? KEY : PARAMETER).test(value);
