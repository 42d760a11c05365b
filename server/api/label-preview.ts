/**
 * Previews of branding: the sign-in page or a mail, made by the code that makes the real ones, with colours that are
 * being tried out or are not even saved.
 */
import { z } from "zod";
import type { Context } from "../context";
import { type BrandPreview, previewBrand } from "../directory/branding/preview";
import { strict } from "../directory/fields";
import { composeMessage } from "../mail/compose";
import { said } from "../protocol/reason";
import { LANGUAGES, parseLanguage } from "../texts/languages";
import { languageForm, signInPage } from "../web/pages/public-pages";
import { brandColours, LEVELS, type Level, labelFields, warnings } from "./label-schemas";
import { type Operation, operation } from "./operation";

const language = z.string().transform((tag, issues) => {
  const known = parseLanguage(tag);
  if (known) return known;
  issues.addIssue({ code: "custom", message: said("one_of", { values: LANGUAGES.join(", ") }) });
  return z.NEVER;
});

const renderBody = strict({
  page: z.enum(["login", "mail"]).optional().meta({ description: "By default login, the sign-in page" }),
  language: language.optional(),
  ...labelFields,
}).transform(({ page = "login", language = "en", ...colours }) => {
  return { page, language, colours: brandColours(colours) };
});

/** The page or mail as a whole document; empty if there is no such mail. */
async function documentOf(
  ctx: Context,
  { page, language }: z.output<typeof renderBody>,
  { brand, organizationName }: BrandPreview,
  { organizationId, requestId }: { organizationId: string | undefined; requestId: string | undefined },
): Promise<string> {
  if (page === "mail") {
    const wanted = { type: "verifyemail", organizationId, language, brand, withSamples: true } as const;
    const message = await composeMessage(ctx, wanted);
    return typeof message === "string" ? "" : message.html;
  }
  const frame = { locale: language, requestId: requestId ?? "", brand, languages: languageForm("/login") };
  const links = { forgotPasswordHref: "#", createAccountHref: "#" };
  const props = { flow: "", action: "#", asks: "both", loginName: "", organizationName, ...links } as const;
  return signInPage(props, frame).html;
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
      const organizationId = level.organizationOf(asked);
      const tried = await previewBrand(ctx, organizationId, body.colours);
      const html = await documentOf(ctx, body, tried, { organizationId, requestId: origin.requestId });
      return { html, warnings: tried.warnings };
    },
  });
}

export const labelPreviewOperations: readonly Operation[] = LEVELS.map(render);
