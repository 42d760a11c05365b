/** The operations on the page texts: read default, read, set, reset × two levels, as on message texts. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import { isZitadelCompatible } from "../../directory/zitadel-compatibility";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { resetLoginText, setLoginText } from "../../texts/editing/set-login-text";
import { PAGE_TEXT_LIMIT } from "../../texts/pages/check-page-text";
import { type ReadLoginText, readCustomLoginText, readDefaultLoginText } from "../../texts/pages/level-page-texts";
import { loginTextGroups } from "../../texts/pages/page-text-schema";
import { asZitadelTexts, gatherZitadelTexts, ZITADEL_TEXTS } from "../../texts/pages/zitadel-texts";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { withoutDefaults } from "../operation/protobuf-json";
import { checkLanguage, organizationAt, TEXT_LEVELS, type TextLevel } from "./levels";
import { resetAnswerSchema } from "./message-text-schemas";

/** Texts under ZITADEL's names, which have counterparts here or appear on no page. */
const zitadel = z
  .record(z.string(), z.string().max(PAGE_TEXT_LIMIT, { error: issue("too_long", { n: PAGE_TEXT_LIMIT }) }))
  .optional()
  .meta({
    description:
      "Texts under ZITADEL’s names, such as loginText.title, while the service is compatible with its clients; also taken in ZITADEL’s groups",
  });
/** All words of a level: one schema for whatever takes or answers them, so that documents tell them once. */
export const loginTextFields = strict({ ...loginTextGroups, zitadel }).meta({ id: "LoginTextFields" });
const { details: detailsSchema } = resetAnswerSchema.shape;
const loginTextAnswer = z
  .object({
    customText: z.object({
      details: detailsSchema,
      ...loginTextGroups,
      isDefault: z
        .literal(true)
        .optional()
        .meta({ description: "True if the level has no words of its own; else left out." }),
    }),
  })
  .meta({ id: "LoginText" });

const DESCRIPTION =
  "Groups of keys with plain text of at most 500 characters, as returned for the default texts. Variables are written {{.AppName}}; a text may use those of the built-in text. It may contain only addresses of the service and of verified domains of the organization. Changing texts of pages where users enter codes, passwords and passkeys requires all permissions of everyone who reads them. Texts with plural forms or links, and those of the pages where a user authorizes an application or a device, cannot be changed.";

export const loginTextOperations: readonly Operation[] = TEXT_LEVELS.flatMap(operationsAt);

function operationsAt({ level, base, service, owner, permissions }: TextLevel): Operation[] {
  const targetOf = (call: Pick<OperationCall<unknown, unknown>, "organizationId" | "parameters">) => ({
    organizationId: organizationAt(level, call),
    language: call.parameters.language ?? "",
  });
  const path = `${base}/text/login/:language`;
  return [
    operation(`${service}_GetDefaultLoginTexts`, `GET ${base}/text/default/login/:language`, {
      tag: service,
      summary: `Read the page texts that ${owner} inherits`,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      answer: loginTextAnswer,
      handle: async (ctx, call) => loginTextAnswerOf(ctx, await readDefaultLoginText(ctx, targetOf(call))),
    }),
    operation(`${service}_GetCustomLoginTexts`, `GET ${path}`, {
      tag: service,
      summary: `Read the page texts of ${owner}`,
      scope: { level, permission: permissions.read },
      checkParameters: checkLanguage,
      answer: loginTextAnswer,
      handle: async (ctx, call) => loginTextAnswerOf(ctx, await readCustomLoginText(ctx, targetOf(call))),
    }),
    operation(`${service}_SetCustomLoginText`, `PUT ${path}`, {
      tag: service,
      summary: `Set the page texts of ${owner}; texts that are left out fall back`,
      description: DESCRIPTION,
      scope: { level, permission: permissions.propose, target: "nobody" },
      checkParameters: checkLanguage,
      isConditional: true,
      body: z.preprocess(gatherZitadelTexts, loginTextFields),
      async withoutEffect(ctx, { zitadel = {} }) {
        const isCompatible = await isZitadelCompatible(ctx);
        const isUsed = (name: string) => isCompatible && ZITADEL_TEXTS.get(name) !== undefined;
        return Object.keys(zitadel).filter((name) => zitadel[name] && !isUsed(name));
      },
      answer: resetAnswerSchema,
      async handle(ctx, call) {
        const { ifMatch } = call;
        const { zitadel, ...words } = call.body;
        const zitadelTexts = (await isZitadelCompatible(ctx)) ? zitadel : undefined;
        const outcome = await setLoginText(ctx, { ...targetOf(call), words, zitadelTexts, ifMatch });
        return isApiError(outcome) ? outcome : withoutDefaults(outcome);
      },
    }),
    operation(`${service}_ResetCustomLoginTextToDefault`, `DELETE ${path}`, {
      tag: service,
      summary: `Reset the page texts of ${owner} to the default`,
      scope: { level, permission: permissions.delete, target: "nobody" },
      checkParameters: checkLanguage,
      isConditional: true,
      answer: resetAnswerSchema,
      async handle(ctx, call) {
        const { ifMatch } = call;
        const outcome = await resetLoginText(ctx, { ...targetOf(call), ifMatch });
        return isApiError(outcome) ? outcome : withoutDefaults(outcome);
      },
    }),
  ];
}

async function loginTextAnswerOf(ctx: Context, found: ReadLoginText | ApiError) {
  if (isApiError(found)) return found;
  const { words, unusedWords, isDefault, details } = found;
  const theirs = (await isZitadelCompatible(ctx)) ? asZitadelTexts(words, unusedWords) : {};
  const answer = { customText: { ...words, ...theirs, details, isDefault } };
  return withoutDefaults(answer) as z.input<typeof loginTextAnswer>;
}
