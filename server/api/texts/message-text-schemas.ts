/** The zod schemas of the responses about message texts, used by the OpenAPI document and by tests. */
import { z } from "zod";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { MESSAGE_FIELDS } from "../../texts/message-text";
import { messageTextBody } from "../../texts/parse-fields";
import { SAMPLE_PERSONS } from "../../texts/sample-persons";
import { languageField } from "../operation/language-field";

const uint64 = z.string().regex(/^\d+$/).meta({ description: "uint64 as a string", example: "3" });
const time = z.iso.datetime().meta({ example: "2026-01-02T03:04:05.678Z" });

export const detailsSchema = z
  .object({
    sequence: uint64.optional(),
    creationDate: time.optional(),
    changeDate: time.optional(),
    resourceOwner: z.string().meta({ description: "Organization id; the instance's id at instance level." }),
  })
  .meta({ description: "Sequence and times are left out if nothing was ever recorded." });

const issueSchema = z.object({
  id: z.string().meta({ description: "Stable slug.", example: "message_text.long_subject" }),
  field: z.enum(MESSAGE_FIELDS),
  message: z.string(),
  position: z.int().optional().meta({ description: "In characters (code points) from 0; left out if it is 0." }),
  limit: z.int().optional(),
  suggestion: z.string().optional(),
});

export const draftSchema = z.object({ id: z.string() }).optional().meta({
  description:
    "The change waits for another user's approval (…/text/drafts/{id}) and the previous text remains in use; left out if the change is in force.",
});

export const setAnswerSchema = z
  .object({
    details: detailsSchema,
    warnings: z
      .array(issueSchema)
      .optional()
      .meta({ description: "Warnings about the text, which was saved nevertheless." }),
    draft: draftSchema,
  })
  .meta({ id: "SetMessageText" });

export const resetAnswerSchema = z
  .object({ details: detailsSchema, draft: draftSchema })
  .meta({ id: "ResetMessageText" });
export const keptAnswerSchema = z.object({ details: detailsSchema }).meta({ id: "KeptText" });

export const readAnswerSchema = z
  .object({
    customText: z.object({
      details: detailsSchema,
      ...(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, z.string().optional()])) as Record<
        (typeof MESSAGE_FIELDS)[number],
        z.ZodOptional<z.ZodString>
      >),
      isDefault: z
        .literal(true)
        .optional()
        .meta({ description: "True if the level has no text of its own; else left out." }),
    }),
  })
  .meta({ id: "MessageText" });

export const layer = z.enum(["organization", "instance", "built_in"]);
export const builtInThenSchema = z.string().optional().meta({
  description: "The built-in text that the level's own replaced, if it has changed since; else left out.",
});

export const explanationSchema = z
  .object({
    type: z.string(),
    language: z.object({
      requested: z.string(),
      used: languageField,
      builtIn: languageField.meta({
        description: "Of the built-in texts: another one where the language used was added by an administrator",
      }),
      match: z.enum(["exact", "base", "default"]),
      from: z.enum(["user", "organization", "instance", "service"]),
    }),
    fields: z.record(
      z.string(),
      z.object({
        text: z.string(),
        layer,
        organization: z.string().optional(),
        instance: z.string().optional(),
        builtIn: z.string(),
        builtInThen: builtInThenSchema,
      }),
    ),
    details: detailsSchema,
  })
  .meta({ id: "Explanation" });

/** Fields as in a set. Documents show them alike for all types. */
const givenFields = (type: MessageType) => z.record(z.string(), z.unknown()).pipe(messageTextBody(type));

/** What a preview or a trial may bring; without `fields` it is about the text that is saved. */
export const trialBody = (type: MessageType) =>
  z
    .strictObject({
      fields: givenFields(type).optional().meta({ description: "Fields as in a set, which replace the saved ones." }),
      userId: z.string().optional().meta({ description: "Previews only: the recipient; a sample user by default." }),
      sample: z.enum(SAMPLE_PERSONS).optional().meta({
        description: "A sample user with a name that often breaks texts. In trials it replaces the author's own data.",
      }),
    })
    .meta({ id: "Trial", additionalProperties: undefined });

export const previewSchema = z
  .object({
    language: languageField,
    subject: z.string(),
    preHeader: z.string(),
    html: z.string(),
    text: z.string(),
    phoneText: z.string().optional().meta({ description: "The text alone, for messages to phones." }),
    segments: z
      .object({
        encoding: z.enum(["GSM-7", "UCS-2"]),
        count: z.int().meta({ description: "Segments, each of which is paid" }),
        units: z.int().meta({ description: "Septets, or UTF-16 code units" }),
        left: z.int().meta({ description: "Units that fit before there is another segment" }),
        unusual: z.array(z.string()).meta({ description: "Up to ten characters that make it UCS-2" }),
      })
      .optional()
      .meta({ description: "What `phoneText` costs, with the values of the preview" }),
    errors: z.array(issueSchema),
    warnings: z.array(issueSchema),
  })
  .meta({ id: "Preview" });

export const textTrialSchema = z
  .object({ id: z.string(), recipient: z.string(), language: languageField })
  .meta({ id: "TestSend" });

export const trialStateSchema = z
  .object({
    id: z.string(),
    state: z.enum(["queued", "sent", "kept", "failed", "expired"]),
    lastAnswer: z.string().nullable().meta({ description: "Of the mail server.", example: "250 2.0.0 Ok" }),
    attempts: z.int(),
  })
  .meta({ id: "TrialState" });

const fieldNames = z.array(z.enum(MESSAGE_FIELDS));

export const textsOverviewSchema = z
  .object({
    languages: z.array(languageField),
    messages: z.array(
      z.object({
        type: z.enum(MESSAGE_TYPES),
        isShortMessage: z.boolean().meta({ description: "Sent to phones, which only show its text." }),
        takesPower: z.literal(true).optional().meta({
          description:
            "True if the caller may not change it because it opens or protects accounts and its readers have permissions that the caller lacks; else left out.",
        }),
        fields: z.array(z.object({ name: z.enum(MESSAGE_FIELDS), limit: z.int() })),
        languages: z.array(z.object({ language: languageField, organization: fieldNames, instance: fieldNames })).meta({
          description: "The levels and fields with customized texts; elsewhere the built-in text applies.",
        }),
      }),
    ),
  })
  .meta({ id: "TextsOverview" });

export const exportSchema = z
  .object({
    messageTexts: z
      .array(
        z.object({
          type: z.enum(MESSAGE_TYPES),
          language: languageField,
          ...(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, z.string().optional()])) as Record<
            (typeof MESSAGE_FIELDS)[number],
            z.ZodOptional<z.ZodString>
          >),
        }),
      )
      .meta({ description: "With the names of the bootstrap file." }),
  })
  .meta({ id: "ExportedTexts" });

export const variablesSchema = z
  .object({
    variables: z.array(
      z.object({
        name: z.string(),
        placeholder: z.string().meta({ example: "{{.UserName}}" }),
        aliases: z.array(z.string()),
        description: z.string(),
        sample: z.string(),
        mayBeEmpty: z.boolean(),
      }),
    ),
  })
  .meta({ id: "Variables" });
