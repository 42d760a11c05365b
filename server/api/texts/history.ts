/** The history of message and page texts, and the decision to keep a text after its built-in version has changed. */
import { z } from "zod";
import type { Context } from "../../context";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { type TextChange, textHistory } from "../../texts/editing/history";
import { keepText } from "../../texts/editing/save-text";
import { event, toEvents } from "../events/event-answers";
import { answered } from "../operation/answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { withoutDefaults } from "../operation/protobuf-json";
import { checkLanguage, organizationAt, TEXT_LEVELS, type TextLevel, targetOf } from "./levels";
import { keptAnswerSchema } from "./message-text-schemas";

const { position, sequence, creationDate, actor } = event.shape;

const history = z
  .object({
    changes: z.array(
      z.object({
        position,
        sequence,
        creationDate,
        actor,
        author: z
          .object({ id: z.string(), name: z.string().optional() })
          .optional()
          .meta({ description: "Who wrote it, where the actor approved it (…/text/drafts)" }),
        kind: z.enum(["set", "removed", "kept"]).meta({
          description: "`kept`: the text was kept although the built-in text had changed",
        }),
        changes: z.array(z.object({ field: z.string(), from: z.string().optional(), to: z.string().optional() })),
        fields: z.record(z.string(), z.string()).meta({ description: "The level's own text after it" }),
      }),
    ),
  })
  .meta({ id: "TextHistory" });

const DESCRIPTION =
  "The latest 200 changes that the audit trail still has, newest first. To restore a text, set the fields of one of them again.";

async function answerOf(ctx: Context, changes: readonly TextChange[], within: string | undefined) {
  const events = await toEvents(
    ctx,
    changes.map((change) => change.event),
    within,
  );
  return {
    changes: changes.flatMap(({ kind, changes: changed, fields }, index) => {
      const found = events[index];
      if (!found) return [];
      const { position, sequence, creationDate, actor, mentions } = found;
      const written = mentions.find(({ field }) => field === "userId");
      const author = written && { id: written.id, ...(written.name !== undefined && { name: written.name }) };
      return [{ position, sequence, creationDate, actor, ...(author && { author }), kind, changes: changed, fields }];
    }),
  };
}

type Called = Pick<OperationCall<unknown, unknown>, "organizationId" | "parameters">;

export const textHistoryOperations: readonly Operation[] = TEXT_LEVELS.flatMap((at) => [
  ...ofPages(at),
  ...MESSAGE_TYPES.flatMap((type) => ofMessage(at, type)),
]);

function ofPages({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  const path = `${base}/text/login/:language`;
  const wanted = (call: Called) => ({
    organizationId: organizationAt(level, call),
    language: call.parameters.language ?? "",
  });
  return [
    operation(`${service}_ListLoginTextChanges`, `GET ${path}/_history`, {
      tag: service,
      summary: `List the changes of the page texts of ${owner}`,
      description: DESCRIPTION,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      answer: history,
      handle: (ctx, call) =>
        answered(textHistory(ctx, wanted(call)), (found) => answerOf(ctx, found, organizationAt(level, call))),
    }),
    operation(`${service}_KeepLoginText`, `POST ${path}/_keep`, {
      tag: service,
      summary: `Keep the page texts of ${owner} although the built-in ones have changed`,
      scope: { level, permission: permissions.write, target: "nobody" },
      checkParameters: checkLanguage,
      answer: keptAnswerSchema,
      handle: (ctx, call) => answered(keepText(ctx, wanted(call)), (outcome) => withoutDefaults(outcome)),
    }),
  ];
}

function ofMessage({ level, base, service, permissions }: TextLevel, type: MessageType): Operation[] {
  const path = `${base}/text/message/${type}/:language`;
  const named = (name: string) => ({
    variant: { of: `${service}_${name}`, parameter: "type", value: type },
    published: { operationId: undefined },
    tag: service,
    checkParameters: checkLanguage,
  });
  return [
    operation(`${service}_ListMessageTextChanges_${type}`, `GET ${path}/_history`, {
      ...named("ListMessageTextChanges"),
      summary: `List the changes of the ${type} text`,
      description: DESCRIPTION,
      scope: { level, permission: permissions.read },
      answer: history,
      handle: (ctx, call) =>
        answered(textHistory(ctx, targetOf(level, type, call)), (found) =>
          answerOf(ctx, found, organizationAt(level, call)),
        ),
    }),
    operation(`${service}_KeepMessageText_${type}`, `POST ${path}/_keep`, {
      ...named("KeepMessageText"),
      summary: `Keep the ${type} text although the built-in one has changed`,
      scope: { level, permission: permissions.write, target: "nobody" },
      answer: keptAnswerSchema,
      handle: (ctx, call) =>
        answered(keepText(ctx, targetOf(level, type, call)), (outcome) => withoutDefaults(outcome)),
    }),
  ];
}
