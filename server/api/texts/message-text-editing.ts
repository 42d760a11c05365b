/**
 * What editors of message texts need beside reading and setting them: an overview, the variables, where each field
 * comes from, a preview, a trial mail, and all texts as a file.
 */
import type { z } from "zod";
import { previewMessage } from "../../mail/preview-message";
import { findTrial, sendTrial } from "../../mail/send-trial";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { exportTexts, overviewTexts } from "../../texts/customizations";
import { explainMessageText } from "../../texts/editing/explain-message-text";
import { refuseTextBody } from "../../texts/parse-fields";
import { variablesOf } from "../../texts/variables";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { withoutDefaults } from "../operation/protobuf-json";
import { checkLanguage, organizationAt, TEXT_LEVELS, type TextLevel, targetOf } from "./levels";
import {
  explanationSchema,
  exportSchema,
  previewSchema,
  textsOverviewSchema,
  textTrialSchema,
  trialBody,
  trialStateSchema,
  variablesSchema,
} from "./message-text-schemas";

type ExplanationDetails = z.input<typeof explanationSchema>["details"];

const of = (service: TextLevel["service"]) => ({ published: { operationId: undefined }, tag: service });
/** For one type of message. */
const ofType = (service: TextLevel["service"], name: string, type: MessageType) => ({
  ...of(service),
  variant: { of: `${service}_${name}`, parameter: "type", value: type },
});
/** The use case refuses what is wrong in an address in words of its own. */
const anyParameters = () => undefined;

/** About all texts of a level. */
function levelOperations({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  return [
    operation(`${service}_ListMessageTexts`, `GET ${base}/text/messages`, {
      ...of(service),
      summary: `List every message, its fields, and where ${owner} customized it`,
      scope: { level, permission: permissions.read },
      answer: textsOverviewSchema,
      handle: (ctx, call) => overviewTexts(ctx, organizationAt(level, call), call.caller.userId),
    }),
    operation(`${service}_ExportMessageTexts`, `GET ${base}/text/messages/_export`, {
      ...of(service),
      summary: `Export all texts of ${owner} as the bootstrap file has them`,
      scope: { level, permission: permissions.read },
      effort: "heavy",
      answer: exportSchema,
      handle: (ctx, call) => exportTexts(ctx, organizationAt(level, call)),
    }),
    operation(`${service}_GetMessageTextTrial`, `GET ${base}/text/trials/:id`, {
      ...of(service),
      summary: "Read what became of a trial that you sent",
      scope: { level, permission: permissions.propose },
      checkParameters: anyParameters,
      answer: trialStateSchema,
      handle(ctx, call) {
        const { caller, parameters } = call;
        const trial = { id: parameters.id ?? "", authorId: caller.userId };
        return findTrial(ctx, organizationAt(level, call), trial);
      },
    }),
  ];
}

/** About one type of message. */
function typeOperations({ level, base, service, permissions }: TextLevel, type: MessageType): Operation[] {
  const path = `${base}/text/message/${type}/:language`;
  return [
    operation(`${service}_ListMessageTextVariables_${type}`, `GET ${base}/text/variables/${type}`, {
      ...ofType(service, "ListMessageTextVariables", type),
      summary: `List the variables of ${type} texts`,
      scope: { level, permission: permissions.read },
      answer: variablesSchema,
      handle: async () => ({
        variables: variablesOf(type).map(({ name, aliases, description, sample, mayBeEmpty }) => {
          return { name, placeholder: `{{.${name}}}`, aliases: aliases, description, sample, mayBeEmpty };
        }),
      }),
    }),
    operation(`${service}_ExplainMessageText_${type}`, `GET ${path}/_explain`, {
      ...ofType(service, "ExplainMessageText", type),
      summary: `Explain where every field of the ${type} text comes from`,
      scope: { level, permission: permissions.read },
      checkParameters: anyParameters,
      answer: explanationSchema,
      handle: (ctx, call) =>
        answered(explainMessageText(ctx, targetOf(level, type, call)), (explanation) => ({
          ...explanation,
          details: withoutDefaults<ExplanationDetails>(explanation.details),
        })),
    }),
    operation(`${service}_PreviewMessageText_${type}`, `POST ${path}/_preview`, {
      ...ofType(service, "PreviewMessageText", type),
      summary: `Show the ${type} message as it would be sent`,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      body: trialBody(type),
      refuseBody: refuseTextBody,
      bodyIsOptional: true,
      answer: previewSchema,
      handle(ctx, call) {
        const { fields, userId, sample } = call.body;
        return previewMessage(ctx, call.caller, { ...targetOf(level, type, call), fields, userId, sample });
      },
    }),
    operation(`${service}_SendMessageTextTrial_${type}`, `POST ${path}/_test_send`, {
      ...ofType(service, "SendMessageTextTrial", type),
      summary: `Send the ${type} message to your own verified address, or phone if it goes to phones`,
      scope: { level, permission: permissions.propose },
      checkParameters: checkLanguage,
      body: trialBody(type),
      refuseBody: refuseTextBody,
      bodyIsOptional: true,
      answer: textTrialSchema,
      handle(ctx, call) {
        const { fields, sample } = call.body;
        return sendTrial(ctx, { ...targetOf(level, type, call), fields, sample, address: call.address });
      },
    }),
  ];
}

export const messageTextEditingOperations: readonly Operation[] = TEXT_LEVELS.flatMap((level) => [
  ...levelOperations(level),
  ...MESSAGE_TYPES.flatMap((type) => typeOperations(level, type)),
]);
