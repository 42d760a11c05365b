/** The operations on message texts as remote procedures: what their messages ask for, and how they answer. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { MessageType } from "../../message-types/table";
import { fieldsOf } from "../../texts/message-text";
import type { ObjectDetailsSchema } from "../grpc/generated/service/v1/object_pb";
import type { Procedure } from "../operation/procedure";
import type { readAnswerSchema, setAnswerSchema } from "./message-text-schemas";

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
