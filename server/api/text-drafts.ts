/** Changes of texts that wait for the approval of a second person: list, read, approve, reject, withdraw × two levels. */
import { z } from "zod";
import { strict, text } from "../directory/fields";
import { MESSAGE_TYPES } from "../message-types/table";
import { isApiError } from "../protocol/api-error";
import { approveDraft, MAX_COMMENT, rejectDraft, withdrawDraft } from "../texts/drafts/decide";
import { findDraft, listDrafts } from "../texts/drafts/list";
import { languageField } from "./language-field";
import { organizationAt, TEXT_LEVELS, type TextLevel } from "./message-text-levels";
import { keptAnswerSchema } from "./message-text-schemas";
import { type Operation, type OperationCall, operation } from "./operation";
import { withoutDefaults } from "./protobuf-json";
import { timestamp } from "./schemas";

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
      fields: fields.meta({ description: "What the level itself would say; empty: the text is reset" }),
      base: fields.meta({ description: "What it said when the change was written" }),
      baseSequence: z.string(),
      own: fields.meta({ description: "What it says now" }),
      sequence: z.string().meta({ description: "Of the text now" }),
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
    operation({
      id: `${service}_ListTextDrafts`,
      method: "GET",
      path,
      tag,
      summary: `List the changes of texts of ${owner} that wait for approval or were rejected`,
      description:
        "Where the policy of texts requires approval (…/policies/texts), whatever changes a text keeps a draft instead. The oldest is first.",
      scope: { level, permission: permissions.read },
      answer: z.object({ result: z.array(z.object(summary).meta({ id: "TextDraftSummary" })) }),
      handle: async (ctx, call) => ({ result: await listDrafts(ctx, organizationAt(level, call)) }),
    }),
    operation({
      id: `${service}_GetTextDraft`,
      method: "GET",
      path: `${path}/:id`,
      tag,
      summary: `Read a change of a text of ${owner}, beside what the text said then and says now`,
      scope: { level, permission: permissions.read },
      answer: draftAnswer,
      async handle(ctx, call) {
        const draft = await findDraft(ctx, targetOf(call));
        return isApiError(draft) ? draft : { draft };
      },
    }),
    operation({
      id: `${service}_ApproveTextDraft`,
      method: "POST",
      path: `${path}/:id/_approve`,
      tag,
      summary: `Approve a change of a text of ${owner}: people read it from then on`,
      description:
        "By a person who is not its author. If the text has changed since, it is refused with 412, unless If-Match names the sequence that the text has now. Messages that open or protect accounts, and words at which codes and passwords are entered, are for those whose permissions cover everybody who reads them.",
      scope: { level, permission: permissions.write, over: "nobody" },
      isConditional: true,
      answer: keptAnswerSchema,
      async handle(ctx, call) {
        const outcome = await approveDraft(ctx, { ...targetOf(call), ifMatch: call.ifMatch }, call);
        return isApiError(outcome) ? outcome : withoutDefaults(outcome);
      },
    }),
    operation({
      id: `${service}_RejectTextDraft`,
      method: "POST",
      path: `${path}/:id/_reject`,
      tag,
      summary: `Reject a change of a text of ${owner}, and say why`,
      scope: { level, permission: permissions.write, over: "nobody" },
      body: strict({ comment: text(MAX_COMMENT).optional().meta({ description: "For the author" }) }).meta({
        id: "RejectTextDraft",
      }),
      bodyIsOptional: true,
      answer: decided,
      handle: (ctx, call) => rejectDraft(ctx, { ...targetOf(call), comment: call.body.comment ?? "" }, call),
    }),
    operation({
      id: `${service}_WithdrawTextDraft`,
      method: "DELETE",
      path: `${path}/:id`,
      tag,
      summary: `Withdraw your change of a text of ${owner}, or clear away one that was rejected`,
      scope: { level, permission: permissions.write, over: "nobody" },
      answer: decided,
      handle: (ctx, call) => withdrawDraft(ctx, targetOf(call), call.origin),
    }),
  ];
}
