/**
 * Previews of branding: the sign-in page or a letter, made by the code that makes the real ones, with colours that are
 * being tried out or are not even saved.
 */
import { z } from "zod";
import type { Context } from "../context";
import { brandOf } from "../directory/brand/brand";
import type { LabelColours } from "../directory/brand/label";
import { strict } from "../directory/fields";
import { type LabelSettings, PICTURES, resolvePolicy } from "../directory/policy/settings";
import { composeMessage } from "../mail/compose";
import { findOrganizationName } from "../storage/recipients";
import { LANGUAGES, parseLanguage } from "../texts/languages";
import { languageForm, signInPage } from "../web/pages/public-pages";
import { LEVELS, type Level, labelFields, ownWarnings, readLabel, saidColours, warnings } from "./label-words";
import { type Operation, operation } from "./operation";

const language = z.string().transform((tag, issues) => {
  const known = parseLanguage(tag);
  if (known) return known;
  issues.addIssue({ code: "custom", message: `must be one of ${LANGUAGES.join(", ")}` });
  return z.NEVER;
});

const renderBody = strict({
  page: z.enum(["login", "mail"]).optional().meta({ description: "By default login, the sign-in page" }),
  language: language.optional(),
  ...labelFields,
}).transform(({ page = "login", language = "en", ...colours }) => {
  return { page, language, colours: saidColours(colours) };
});

/** The branding with these colours, and with the pictures that are being tried out. */
async function lookWith(ctx: Context, organizationId: string | undefined, colours: Partial<LabelColours>) {
  const { above, own } = await readLabel(ctx, "labelPreview", organizationId);
  const stored: Partial<LabelSettings> = own ?? {};
  const pictures = Object.fromEntries(
    PICTURES.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]),
  );
  const isAsSaved = Object.keys(colours).length === 0;
  const tried = isAsSaved ? stored : { ...colours, ...pictures };
  return { settings: resolvePolicy("label", [...above, tried]), tried };
}

function render(level: Level): Operation {
  return operation({
    id: `Render${level.name}LabelPolicy`,
    method: "POST",
    path: `${level.path}/_render`,
    tag: "Branding",
    summary: "Preview a branding",
    description:
      "Colours are taken as in the request, or as they are tried out where it has none; pictures as they are tried out. " +
      "The answer is a whole document, to be shown in a frame that runs nothing.",
    scope: level.scope("read"),
    body: renderBody,
    bodyIsOptional: true,
    answer: z.object({ html: z.string(), warnings }),
    async handle(ctx, { body, organizationId: asked, origin }) {
      const { page, language, colours } = body;
      const organizationId = level.organizationOf(asked);
      const { settings, tried } = await lookWith(ctx, organizationId, colours);
      const brand = brandOf(settings);
      const shown = { html: "", warnings: ownWarnings(settings, tried) };
      if (page === "mail") {
        const wanted = { type: "verifyemail", organizationId, language, brand, withSamples: true } as const;
        const message = await composeMessage(ctx, wanted);
        return typeof message === "string" ? shown : { ...shown, html: message.html };
      }
      const frame = {
        locale: language,
        requestId: origin.requestId ?? "",
        brand,
        languages: languageForm("/login"),
      };
      const organizationName =
        organizationId === undefined ? undefined : await findOrganizationName(ctx.db, organizationId);
      const links = { forgotPasswordHref: "#", createAccountHref: "#" };
      const props = { flow: "", action: "#", asks: "both", loginName: "", organizationName, ...links } as const;
      return { ...shown, html: signInPage(props, frame).html };
    },
  });
}

export const labelPreviewOperations: readonly Operation[] = LEVELS.map(render);
