/** Answers of the use cases as protocol buffers, and errors as gRPC has them (contract: Media types). */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError } from "@connectrpc/connect";
import type { Details } from "../../events/record";
import { type ApiError, apiErrorBody } from "../../protocol/api-error";
import type { TextIssue } from "../../texts/text-issue";
import type { TextAnswer } from "../texts/perform";
import type { MessageCustomTextSchema, WarningSchema } from "./generated/service/text/v1/text_pb";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";
import type { ObjectDetailsSchema } from "./generated/service/v1/object_pb";

/** The fields of all response messages; those a message type does not have are ignored. */
export interface AnswerFields {
  details?: MessageInitShape<typeof ObjectDetailsSchema>;
  customText?: MessageInitShape<typeof MessageCustomTextSchema>;
  warnings?: MessageInitShape<typeof WarningSchema>[];
}

export function answerFields(answer: TextAnswer): AnswerFields {
  if ("customText" in answer) {
    const { details, ...fields } = answer.customText;
    return { customText: { ...fields, details: objectDetails(details) } };
  }
  return { details: objectDetails(answer.details), warnings: (answer.warnings ?? []).map(warning) };
}

/** Without recorded events there is neither a sequence nor a time. */
function objectDetails({ sequence, creationDate, changeDate, resourceOwner }: Details) {
  if (sequence === "0") return { resourceOwner };
  const at = (time: string) => timestampFromMs(Date.parse(time));
  return { sequence: BigInt(sequence), creationDate: at(creationDate), changeDate: at(changeDate), resourceOwner };
}

function warning({ id, message, field, limit, position, suggestion }: TextIssue) {
  return { id, message, field, limit, position, suggestion };
}

/** Connect uses gRPC's code numbers. */
export function connectError(error: ApiError, headers?: Record<string, string>): ConnectError {
  const { code, message, details } = apiErrorBody(error);
  const detail = details.map(({ "@type": _, ...fields }) => ({
    desc: ErrorDetailSchema,
    value: create(ErrorDetailSchema, fields),
  }));
  return new ConnectError(message, code as number as Code, headers, detail);
}
