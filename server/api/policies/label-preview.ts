/**
 * Previews of branding: the sign-in page or a mail, made by the code that makes the real ones, with colours that are
 * being tried out or are not even saved.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { picturePath } from "../../directory/branding/branding";
import { READ_THINGS, SCHEMES } from "../../directory/branding/contrast";
import { type PreviewedBrand, previewBrand, readTriedLogo, TRIED_LOGO } from "../../directory/branding/preview";
import { strict } from "../../directory/fields";
import type { Language } from "../../directory/policy/languages";
import { composeMessage } from "../../mail/compose";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { writtenIn } from "../../web/pages/language";
import { languageForm } from "../../web/pages/language-form";
import { signInPage } from "../../web/pages/public-pages";
import { languageField, languageIn } from "../operation/language-field";
import { type Operation, operation } from "../operation/operation";
import { brandColours, type LabelLevel, LEVELS, labelFields, organizationOf, warnings } from "./label-schemas";

/** Base64 of the picture, scaled down to the shown size. */
const MAX_LOGO_CHARACTERS = 40_000;
const logo = z
  .string()
  .max(MAX_LOGO_CHARACTERS, { error: issue("too_long", { n: MAX_LOGO_CHARACTERS }) })
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: issue("base64") })
  .transform((text) => new Uint8Array(Buffer.from(text, "base64")))
  .meta({
    description: "A logo to preview instead of the draft's: PNG, JPEG or WebP as base64; it is not saved",
  });

const renderBody = strict({
  page: z.enum(["login", "mail"]).optional().meta({ description: "By default login, the sign-in page" }),
  language: languageField.optional(),
  logo: logo.optional(),
  ...labelFields,
}).transform(({ page = "login", language = "en", logo, ...colours }) => {
  return { page, language, logo, colours: brandColours(colours) };
});

const contrasts = z
  .array(
    z.object({
      scheme: z.enum(SCHEMES),
      of: z.enum(READ_THINGS),
      ratio: z.number(),
      isEnough: z.boolean(),
      shown: z.string(),
    }),
  )
  .meta({
    description: "The contrast of the colours (WCAG 2.2 §1.4.3), and the colour that is used where it is too low",
  });

/** The page or mail as a whole document; empty if there is no such mail. */
async function documentOf(
  ctx: Context,
  { page, language }: { page: "login" | "mail"; language: Language },
  { brand, organizationName }: PreviewedBrand,
  { organizationId, requestId }: { organizationId: string | undefined; requestId: string | undefined },
): Promise<string> {
  if (page === "mail") {
    const wanted = { type: "verifyemail", organizationId, language, brand, withSamples: true } as const;
    const message = await composeMessage(ctx, wanted);
    return typeof message === "string" ? "" : message.html;
  }
  const frame = {
    ...(await writtenIn(ctx, language)),
    requestId: requestId ?? "",
    brand,
    languages: languageForm("/login"),
  };
  const links = { forgotPasswordHref: "#", createAccountHref: "#" };
  const props = { flow: "", action: "#", asks: "both", loginName: "", organizationName, ...links } as const;
  return signInPage(props, frame).html;
}

const [instance, organization] = LEVELS as [LabelLevel, LabelLevel];

export const labelPreviewOperations: readonly Operation[] = [
  operation("RenderCustomLabelPolicy", `POST ${organization.path}/_render`, {
    tag: "Branding",
    summary: "Preview a branding",
    description:
      "Uses the colours in the request, or those of the draft where it has none, and the pictures of the draft. " +
      "Returns a complete HTML document, to be shown in a frame without scripts.",
    scope: organization.scope("read"),
    also: { RenderInstanceLabelPolicy: { at: `POST ${instance.path}/_render`, scope: instance.scope("read") } },
    body: renderBody,
    bodyIsOptional: true,
    answer: z.object({ html: z.string(), warnings, contrasts }),
    async handle(ctx, { body, ...call }) {
      const organizationId = organizationOf(call);
      const language = await languageIn(ctx, body.language, "language");
      if (isApiError(language)) return language;
      const logo = body.logo && readTriedLogo(body.logo);
      if (isApiError(logo)) return logo;
      const tried = await previewBrand(ctx, organizationId, body.colours, logo);
      const from = { organizationId, requestId: ctx.origin.requestId };
      const html = await documentOf(ctx, { page: body.page, language }, tried, from);
      return { html: logo ? withLogo(ctx, html, logo) : html, warnings: tried.warnings, contrasts: tried.contrasts };
    },
  }),
];

/** Returns the document with the picture inlined, because a sandboxed frame loads nothing. */
function withLogo({ config }: Context, html: string, { address }: { address: string }): string {
  const path = picturePath(TRIED_LOGO);
  return html.replaceAll(`"${config.baseUrl}${path}"`, `"${address}"`).replaceAll(`"${path}"`, `"${address}"`);
}
