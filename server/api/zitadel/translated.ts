/** Procedures whose messages are translated (translations/translation.ts). */
import type { DescMethod, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { invalidArgument, isApiError } from "../../protocol/api-error";
import { JsonMessage } from "../grpc/json-message";
import type { RestAddress } from "./addresses";
import { jsonOfMessage } from "./message-json";
import { type Bridge, convertedTo, type OperationPlace, pathVariables, placeAt } from "./places";
import type { Located, MessageTranslation } from "./translations/translation";

export function translatedBridge({ input }: DescMethod, translation: MessageTranslation): Bridge {
  const { ignored = [], empty = [] } = translation;
  const addresses: readonly RestAddress[] = [translation.at].flat();
  const [first] = addresses as [RestAddress];
  const found = new WeakMap<object, Located>();
  return {
    operation: existing(first).operation,
    inPath: [],
    shape: { ignored, empty },
    async request(message, { ctx, perform }) {
      const sent = jsonOfMessage(input, message);
      if (isApiError(sent)) return sent;
      const located = (await translation.locate?.(ctx, sent)) ?? {};
      found.set(message, located);
      const before = translation.reads?.(sent, located);
      const reading = before && requestAt(before.at, before.json, sent, located);
      const read = reading ? await perform(reading.operation, reading) : {};
      if (isApiError(read)) return read;
      const address = addresses[translation.which?.(sent, read) ?? 0];
      if (address === undefined) return { ...requestAt(first, {}, sent, located), refusal: nothingToDo() };
      const converted = requestAt(address, translation.request?.(sent, read, located) ?? sent, sent, located);
      // What was read before is sent again, though the client did not send it.
      return reading ? { ...converted, isSent: (path) => hasMember(sent, path.replace(/.*\./, "")) } : converted;
    },
    isSoAlready: ({ id }) => translation.soAlready?.includes(id) ?? false,
    answer(json, message) {
      const sent = jsonOfMessage(input, message);
      return new JsonMessage(
        isApiError(sent) ? json : (translation.answer?.(json as JsonObject, sent, found.get(message) ?? {}) ?? json),
      );
    },
  };
}

const hasMember = (json: JsonValue, name: string): boolean =>
  typeof json === "object" &&
  json !== null &&
  (Object.hasOwn(json, name) || Object.values(json).some((inner) => hasMember(inner, name)));

const nothingToDo = () =>
  invalidArgument("request.invalid", "The message names nothing that this procedure could act on here.");

/** The members of the path are those of the request, else of what was located, else of the message. */
function requestAt(address: RestAddress, json: JsonObject, sent: JsonObject, located: Located) {
  const { organizationId, ownerId, ...known } = located;
  const place = existing(address);
  const variables = pathVariables(address);
  const inPath = variables.map((name) => [name, json[name] ?? known[name] ?? sent[name] ?? ""] as const);
  const converted = convertedTo(place, variables, { ...json, ...Object.fromEntries(inPath) });
  return { ...converted, operation: place.operation, organizationId, ownerId };
}

function existing(address: RestAddress): OperationPlace {
  const place = placeAt(address);
  if (!place) throw new Error(`there is no operation at ${address}`);
  return place;
}
