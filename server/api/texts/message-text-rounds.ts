/** One message in all languages at once, to the caller's own address. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { sendTrialRound } from "../../mail/send-trial-round";
import { MESSAGE_TYPES } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { isShortMessage } from "../../texts/message-text";
import { messageTextBody, refuseTextBody } from "../../texts/parse-fields";
import { languageField, languageIn } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { organizationAt, TEXT_LEVELS } from "./levels";

/** Not those to phones, each of which is paid for. */
const MAILS = MESSAGE_TYPES.filter((type) => !isShortMessage(type));

const roundBody = strict({
  type: z.enum(MAILS),
  unsaved: strict({
    language: languageField,
    fields: z.record(z.string(), z.unknown()).meta({ description: "As in a set" }),
  }).optional(),
})
  .transform(({ type, unsaved }, context) => {
    const fields = messageTextBody(type).safeParse(unsaved?.fields ?? {});
    for (const issue of fields.error?.issues ?? []) {
      context.issues.push({ ...issue, path: ["unsaved", "fields", ...issue.path], input: undefined } as never);
    }
    return { type, unsaved: unsaved && { language: unsaved.language, fields: fields.data ?? {} } };
  })
  .meta({ id: "SendMessageTextTrials" });

export const messageTextRoundOperations: readonly Operation[] = TEXT_LEVELS.map(
  ({ level, base, service, permissions }) =>
    operation(`${service}_SendMessageTextTrials`, `POST ${base}/text/messages/_test_send`, {
      tag: service,
      summary: "Send a message in all languages to your own verified address",
      description:
        "Sends the saved texts; `unsaved` replaces the text of one language. At most three times an hour; not available for text messages.",
      scope: { level, permission: permissions.propose },
      body: roundBody,
      refuseBody: (error) => (error.issues[0]?.path.includes("fields") ? refuseTextBody(error) : undefined),
      answer: z.object({ recipient: z.string(), languages: z.array(languageField) }),
      async handle(ctx, call) {
        const { type, unsaved } = call.body;
        const language = unsaved && (await languageIn(ctx, unsaved.language, "unsaved.language"));
        if (isApiError(language)) return language;
        const round = {
          organizationId: organizationAt(level, call),
          type,
          unsaved: unsaved && language && { language, fields: unsaved.fields },
          address: call.address,
        };
        return sendTrialRound(ctx, round);
      },
    }),
);
