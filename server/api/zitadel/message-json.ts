/** Messages as JSON (the proto3 JSON mapping). */
import { type DescMessage, type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
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
