/** One message in all languages at once, to the caller's own address. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { sendTrialRound } from "../../mail/send-trial-round";
import { MESSAGE_TYPES } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import { isShortMessage } from "../../texts/message-text";
import { languageField, languageIn } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { organizationAt, TEXT_LEVELS } from "./levels";

/** Not those to phones, each of which is paid for. */
const MAILS = MESSAGE_TYPES.filter((type) => !isShortMessage(type));

export const messageTextRoundOperations: readonly Operation[] = TEXT_LEVELS.map(
  ({ level, base, service, permissions }) =>
    operation(`${service}_SendMessageTextTrials`, `POST ${base}/text/messages/_test_send`, {
      tag: service,
      summary: "Send a message in all languages to your own verified address",
      description:
        "Sends the saved texts; `unsaved` replaces the text of one language. At most three times an hour; not available for text messages.",
      scope: { level, permission: permissions.write },
      body: strict({
        type: z.enum(MAILS),
        unsaved: strict({
          language: languageField,
          fields: z.record(z.string(), z.unknown()).meta({ description: "As in a set" }),
        }).optional(),
      }).meta({ id: "SendMessageTextTrials" }),
      answer: z.object({ recipient: z.string(), languages: z.array(languageField) }),
      async handle(ctx, call) {
        const { type, unsaved } = call.body;
        const language = unsaved && (await languageIn(ctx, unsaved.language, "unsaved.language"));
        if (isApiError(language)) return language;
        const round = {
          organizationId: organizationAt(level, call),
          type,
          unsaved: unsaved && language && { language, body: unsaved.fields },
          address: call.address,
        };
        return sendTrialRound(ctx, round, call.origin);
      },
    }),
);
