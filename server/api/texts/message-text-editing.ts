/**
 * What editors of message texts need beside reading and setting them: an overview, the variables, where each field
 * comes from, a preview, a trial mail, and all texts as a file.
 */
import type { z } from "zod";
import { previewMessage } from "../../mail/preview-message";
import { findTrial, sendTrial } from "../../mail/send-trial";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { exportTexts, overviewTexts } from "../../texts/customizations";
import { explainMessageText } from "../../texts/editing/explain-message-text";
import { refuseTextBody } from "../../texts/parse-fields";
import { variablesOf } from "../../texts/variables";
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

const named = (service: TextLevel["service"], name: string) => ({
  id: `${service}_${name}`,
  published: { operationId: undefined },
  tag: service,
});
/** For one type of message. */
const namedFor = (service: TextLevel["service"], name: string, type: MessageType) => ({
  ...named(service, `${name}_${type}`),
  variant: { of: `${service}_${name}`, parameter: "type", value: type },
});
/** The use case refuses what is wrong in an address in words of its own. */
const anyParameters = () => undefined;

/** About all texts of a level. */
function levelOperations({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  return [
    operation({
      ...named(service, "ListMessageTexts"),
      method: "GET",
      path: `${base}/text/messages`,
      summary: `List every message, its fields, and where ${owner} customized it`,
      scope: { level, permission: permissions.read },
      answer: textsOverviewSchema,
      handle: (ctx, call) => overviewTexts(ctx, organizationAt(level, call), call.caller.userId),
    }),
    operation({
      ...named(service, "ExportMessageTexts"),
      method: "GET",
      path: `${base}/text/messages/_export`,
      summary: `Export all texts of ${owner} as the bootstrap file has them`,
      scope: { level, permission: permissions.read },
      effort: "heavy",
      answer: exportSchema,
      handle: (ctx, call) => exportTexts(ctx, organizationAt(level, call)),
    }),
    operation({
      ...named(service, "GetMessageTextTrial"),
      method: "GET",
      path: `${base}/text/trials/:id`,
      summary: "Read what became of a trial that you sent",
      scope: { level, permission: permissions.write },
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
    operation({
      ...namedFor(service, "ListMessageTextVariables", type),
      method: "GET",
      path: `${base}/text/variables/${type}`,
      summary: `List the variables of ${type} texts`,
      scope: { level, permission: permissions.read },
      answer: variablesSchema,
      handle: async () => ({
        variables: variablesOf(type).map(({ name, aliases, description, sample, mayBeEmpty }) => {
          return { name, placeholder: `{{.${name}}}`, aliases: aliases, description, sample, mayBeEmpty };
        }),
      }),
    }),
    operation({
      ...namedFor(service, "ExplainMessageText", type),
      method: "GET",
      path: `${path}/_explain`,
      summary: `Explain where every field of the ${type} text comes from`,
      scope: { level, permission: permissions.read },
      checkParameters: anyParameters,
      answer: explanationSchema,
      async handle(ctx, call) {
        const explanation = await explainMessageText(ctx, targetOf(level, type, call));
        if (isApiError(explanation)) return explanation;
        return { ...explanation, details: withoutDefaults<ExplanationDetails>(explanation.details) };
      },
    }),
    operation({
      ...namedFor(service, "PreviewMessageText", type),
      method: "POST",
      path: `${path}/_preview`,
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
    operation({
      ...namedFor(service, "SendMessageTextTrial", type),
      method: "POST",
      path: `${path}/_test_send`,
      summary: `Send the ${type} message to your own verified address, or phone if it goes to phones`,
      scope: { level, permission: permissions.write },
      checkParameters: checkLanguage,
      body: trialBody(type),
      refuseBody: refuseTextBody,
      bodyIsOptional: true,
      answer: textTrialSchema,
      handle(ctx, call) {
        const { fields, sample } = call.body;
        return sendTrial(ctx, { ...targetOf(level, type, call), fields, sample, address: call.address }, call.origin);
      },
    }),
  ];
}

export const messageTextEditingOperations: readonly Operation[] = TEXT_LEVELS.flatMap((level) => [
  ...levelOperations(level),
  ...MESSAGE_TYPES.flatMap((type) => typeOperations(level, type)),
]);
