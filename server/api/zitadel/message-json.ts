/** Messages as JSON, and back (the proto3 JSON mapping). */
import { type DescMessage, fromJson, type JsonObject, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { type ApiError, invalidArgument } from "../../protocol/api-error";

/** Messages can have what JSON cannot: a time in the year 10000, half of a character. */
export function jsonOfMessage(
  type: DescMessage,
  message: object,
  options?: Parameters<typeof toJson>[2],
): JsonObject | ApiError {
  try {
    return toJson(type, message as Message, options) as JsonObject;
  } catch {
    return invalidArgument("request.malformed", "A field of the message has a value that does not exist in JSON.");
  }
}

/** Members that the message does not have are left out. */
export const messageOfJson = (type: DescMessage, json: object): Message =>
  fromJson(type, withoutUndefined(json), { ignoreUnknownFields: true });

/** What JSON leaves out. */
function withoutUndefined(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}
