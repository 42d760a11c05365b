/**
 * The operations on message texts: all types × read default, read, set, reset × two levels, each with its REST address
 * and, where it has one, its name as a remote procedure (rule GRPC-3).
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { readCustomText, readDefaultText } from "../../texts/editing/read-message-text";
import { resetMessageText, setMessageText } from "../../texts/editing/set-message-text";
import { fieldsOf } from "../../texts/message-text";
import { messageTextBody, refuseTextBody } from "../../texts/parse-fields";
import { isProtected, takesPower } from "../../texts/variables";
import type { ObjectDetailsSchema } from "../grpc/generated/service/v1/object_pb";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import type { Procedure } from "../operation/procedure";
import { withoutDefaults } from "../operation/protobuf-json";
import { checkLanguage, TEXT_LEVELS, type TextLevel, targetOf } from "./levels";
import { readAnswerSchema, resetAnswerSchema, setAnswerSchema } from "./message-text-schemas";

const TAKES_POWER =
  "The message opens or protects accounts, so the caller must hold all permissions of its recipients. ";
const OWN_ADDRESSES =
  "Its text may contain only addresses of the service and of verified domains of the organization, and no variable may be part of an address.";

/** `factor_added` is FactorAdded. */
const inPascalCase = (slug: string) => slug.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const messageTextOperations: readonly Operation[] = TEXT_LEVELS.flatMap((level) =>
  MESSAGE_TYPES.flatMap((type) => operationsOf(level, type)),
);

function operationsOf(at: TextLevel, type: MessageType): Operation[] {
  const { level, base, service, owner, permissions } = at;
  const { procedures } = definitionOf(type);
  const name = procedures?.name ?? inPascalCase(type);
  const path = `${base}/text/message/${type}/:language`;
  const custom = procedures?.isCustomText ? "Custom" : "";
  const setName = level === "instance" ? `SetDefault${name}MessageText` : `SetCustom${name}Message${custom}Text`;
  const named = (rpc: string, of: string) => ({
    variant: { of: `${service}_${of}`, parameter: "type", value: type },
    published: { operationId: `${service}_${rpc}` },
    procedure: procedures && textProcedure(service, rpc, type),
    tag: service,
    checkParameters: checkLanguage,
  });
  const description = isProtected(type) ? (takesPower(type) ? TAKES_POWER : "") + OWN_ADDRESSES : undefined;
  return [
    operation(`${service}_GetDefault${name}MessageText`, `GET ${base}/text/default/message/${type}/:language`, {
      ...named(`GetDefault${name}MessageText`, "GetDefaultMessageText"),
      // Both spellings are in use (rule GRPC-3).
      misspelt:
        type === "passwordreset" && level === "instance" ? [`${base}/text/deafult/message/${type}/:language`] : [],
      summary: `Read the ${type} text that ${owner} inherits`,
      scope: { level, permission: permissions.read },
      answer: readAnswerSchema,
      handle: (ctx, call) =>
        answered(readDefaultText(ctx, targetOf(level, type, call)), (outcome) => withoutDefaults(outcome)),
    }),
    operation(`${service}_GetCustom${name}MessageText`, `GET ${path}`, {
      ...named(`GetCustom${name}MessageText`, "GetCustomMessageText"),
      summary: `Read the ${type} text of ${owner}`,
      scope: { level, permission: permissions.read },
      answer: readAnswerSchema,
      handle: (ctx, call) =>
        answered(readCustomText(ctx, targetOf(level, type, call)), (outcome) => withoutDefaults(outcome)),
    }),
    operation(`${service}_${setName}`, `PUT ${path}`, {
      ...named(setName, "SetMessageText"),
      summary: `Set the ${type} text of ${owner}; what is left out falls back`,
      description,
      scope: { level, permission: permissions.propose },
      isConditional: true,
      body: messageTextBody(type).meta({ id: `MessageTextFields_${type}` }),
      refuseBody: refuseTextBody,
      answer: setAnswerSchema,
      async handle(ctx, call) {
        const { body: fields, ifMatch } = call;
        const outcome = await setMessageText(ctx, { ...targetOf(level, type, call), fields, ifMatch });
        return isApiError(outcome) ? outcome : withoutDefaults(outcome);
      },
    }),
    operation(`${service}_ResetCustom${name}MessageTextToDefault`, `DELETE ${path}`, {
      ...named(`ResetCustom${name}MessageTextToDefault`, "ResetMessageText"),
      summary: `Reset the ${type} text of ${owner} to the default`,
      description,
      scope: { level, permission: permissions.delete },
      isConditional: true,
      answer: resetAnswerSchema,
      async handle(ctx, call) {
        const { ifMatch } = call;
        const outcome = await resetMessageText(ctx, { ...targetOf(level, type, call), ifMatch });
        return isApiError(outcome) ? outcome : withoutDefaults(outcome);
      },
    }),
  ];
}

type Answer = z.input<typeof readAnswerSchema> | z.input<typeof setAnswerSchema>;

/** @param name the method's name in the proto file */
export function textProcedure(service: Procedure["service"], name: string, type: MessageType): Procedure {
  const fields = fieldsOf(type);
  return {
    service,
    name,
    request: (message) => ({
      parameters: { language: String(message.language) },
      body: Object.fromEntries(fields.map((field) => [field, message[field]])),
    }),
    answer: (json) => answerFields(json as Answer),
  };
}

/** Members that the message of an operation does not have are ignored. */
function answerFields(answer: Answer): Record<string, unknown> {
  if ("details" in answer) return { ...answer, details: objectDetails(answer.details) };
  const { details, ...fields } = answer.customText;
  return { customText: { ...fields, details: objectDetails(details) } };
}

/** Details as in the JSON: without recorded events there are no times. */
function objectDetails({
  sequence = "0",
  creationDate,
  changeDate,
  resourceOwner,
}: z.input<typeof setAnswerSchema>["details"]): MessageInitShape<typeof ObjectDetailsSchema> {
  const at = (time: string | undefined) => (time === undefined ? undefined : timestampFromMs(Date.parse(time)));
  return { sequence: BigInt(sequence), creationDate: at(creationDate), changeDate: at(changeDate), resourceOwner };
}
