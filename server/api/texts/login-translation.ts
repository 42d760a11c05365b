/** The page texts by the addresses of version 2; login-texts.ts has those of version 1. */
import { z } from "zod";
import { identifier, strict } from "../../directory/fields";
import { readTranslation, setTranslation } from "../../texts/editing/login-translation";
import { type Operation, operation } from "../operation/operation";
import { loginTextFields } from "./login-texts";
import { draftSchema } from "./message-text-schemas";

const path = "/v2/settings/hosted_login_translation";
const tag = "Settings";
const flag = z.enum(["true", "false"]).optional();
const etag = z.string().meta({ description: "Changes whenever a text changes" });
const locale = z.string().max(200).meta({ description: "One of the supported languages", example: "en" });

export const loginTranslationOperations: readonly Operation[] = [
  operation("GetHostedLoginTranslation", `GET ${path}`, {
    tag,
    summary: "Read the page texts, as in force",
    scope: { level: "organization", permission: "text.read" },
    organizationQuery: "organizationId",
    // Not strict: clients send further parameters, which are ignored.
    query: z.object({
      organizationId: identifier.or(z.literal("")).optional().meta({ description: "As the header `x-service-orgid`" }),
      instance: flag.meta({ description: "`true`: those of the instance" }),
      system: flag.meta({ description: "`true`: the built-in ones" }),
      locale,
      ignoreInheritance: flag.meta({ description: "`true`: only the level's own" }),
    }),
    answer: z.object({ etag, translations: loginTextFields }),
    handle(ctx, { organizationId, query }) {
      const { instance, system, locale, ignoreInheritance } = query;
      const level = system === "true" ? "built_in" : instance === "true" ? "instance" : "organization";
      return readTranslation(ctx, { level, organizationId, locale, isOwnOnly: ignoreInheritance === "true" });
    },
  }),
  operation("SetHostedLoginTranslation", `PUT ${path}`, {
    tag,
    summary: "Set the page texts; texts that are left out fall back",
    description:
      "With `instance`, it also requires `iam.policy.write`. Changing texts of pages where users enter codes, passwords and passkeys requires all permissions of everyone who reads them.",
    scope: { level: "organization", permission: "text.propose", target: "nobody" },
    body: strict({
      instance: z.boolean().optional(),
      organizationId: identifier.optional().meta({ description: "The organization acted on if left out" }),
      locale,
      translations: loginTextFields,
    }).meta({ id: "SetHostedLoginTranslation" }),
    answer: z.object({ etag, draft: draftSchema }),
    handle: (ctx, call) => setTranslation(ctx, call, call.body),
  }),
];
