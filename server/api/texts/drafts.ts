/** Changes of texts that wait for a second person's approval: list, read, approve, reject, withdraw, on both levels. */
import { z } from "zod";
import { strict, text } from "../../directory/fields";
import { MESSAGE_TYPES } from "../../message-types/table";
import { approveDraft, MAX_COMMENT, rejectDraft, withdrawDraft } from "../../texts/drafts/decide";
import { findDraft, listDrafts } from "../../texts/drafts/list";
import { answered } from "../operation/answers";
import { languageField } from "../operation/language-field";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { withoutDefaults } from "../operation/protobuf-json";
import { timestamp } from "../operation/schemas";
import { organizationAt, TEXT_LEVELS, type TextLevel } from "./levels";
import { keptAnswerSchema } from "./message-text-schemas";

const person = z.object({
  id: z.string(),
  name: z.string().optional().meta({ description: "Left out if they are gone, or of another organization" }),
});

const summary = {
  id: z.string().meta({ description: "Another one for each version: an edit makes a new one" }),
  type: z.enum(MESSAGE_TYPES).optional().meta({ description: "Of the message; left out for the page texts" }),
  language: languageField,
  author: person,
  creationDate: timestamp,
  rejection: z
    .object({ by: person, comment: z.string(), date: timestamp })
    .optional()
    .meta({ description: "It was rejected, and its author may edit or withdraw it; left out while it waits" }),
};

const fields = z.record(z.string(), z.string());

const draftAnswer = z
  .object({
    draft: z.object({
      ...summary,
      fields: fields.meta({ description: "The proposed text of the level; empty: the text is reset" }),
      base: fields.meta({ description: "The text when the change was written" }),
      baseSequence: z.string(),
      own: fields.meta({ description: "The current text" }),
      sequence: z.string().meta({ description: "The current sequence of the text" }),
      isOvertaken: z.boolean().meta({ description: "The text has changed since; approving then takes If-Match" }),
    }),
  })
  .meta({ id: "TextDraft" });

const decided = z.object({});

export const textDraftOperations: readonly Operation[] = TEXT_LEVELS.flatMap(operationsAt);

function operationsAt({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  const path = `${base}/text/drafts`;
  const targetOf = (call: Pick<OperationCall<unknown, unknown>, "organizationId" | "parameters">) => ({
    organizationId: organizationAt(level, call),
    id: call.parameters.id ?? "",
  });
  const tag = service;
  return [
    operation(`${service}_ListTextDrafts`, `GET ${path}`, {
      tag,
      summary: `List the changes of texts of ${owner} that wait for approval or were rejected`,
      description:
        "If the text policy requires approval (…/policies/texts), every change of a text is kept as a draft. Oldest first.",
      scope: { level, permission: permissions.read },
      answer: z.object({ result: z.array(z.object(summary).meta({ id: "TextDraftSummary" })) }),
      handle: async (ctx, call) => ({ result: await listDrafts(ctx, organizationAt(level, call)) }),
    }),
    operation(`${service}_GetTextDraft`, `GET ${path}/:id`, {
      tag,
      summary: `Read a change of a text of ${owner}, with the text at that time and now`,
      scope: { level, permission: permissions.read },
      answer: draftAnswer,
      handle: (ctx, call) => answered(findDraft(ctx, targetOf(call)), (draft) => ({ draft })),
    }),
    operation(`${service}_ApproveTextDraft`, `POST ${path}/:id/_approve`, {
      tag,
      summary: `Approve a change of a text of ${owner} and publish it`,
      description:
        "The caller must not be the author. If the text has changed since, the response is 412, unless If-Match names the current sequence of the text. For messages that open or protect accounts, and texts of pages where codes and passwords are entered, the caller must hold all permissions of the readers.",
      scope: { level, permission: permissions.write, target: "nobody" },
      isConditional: true,
      answer: keptAnswerSchema,
      handle: (ctx, call) =>
        answered(approveDraft(ctx, { ...targetOf(call), ifMatch: call.ifMatch }), (outcome) =>
          withoutDefaults(outcome),
        ),
    }),
    operation(`${service}_RejectTextDraft`, `POST ${path}/:id/_reject`, {
      tag,
      summary: `Reject a change of a text of ${owner}, and say why`,
      scope: { level, permission: permissions.write, target: "nobody" },
      body: strict({ comment: text(MAX_COMMENT).optional().meta({ description: "For the author" }) }).meta({
        id: "RejectTextDraft",
      }),
      bodyIsOptional: true,
      answer: decided,
      handle: (ctx, call) => rejectDraft(ctx, { ...targetOf(call), comment: call.body.comment ?? "" }),
    }),
    operation(`${service}_WithdrawTextDraft`, `DELETE ${path}/:id`, {
      tag,
      summary: `Withdraw your change of a text of ${owner}, or clear away one that was rejected`,
      scope: { level, permission: permissions.propose, target: "nobody" },
      answer: decided,
      handle: (ctx, call) => withdrawDraft(ctx, targetOf(call)),
    }),
  ];
}
