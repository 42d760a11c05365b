/** Sets and removes the logos and icons of the draft branding. */
import { z } from "zod";
import { draftPicture, removeDraftPicture } from "../../directory/branding/draft";
import { strict } from "../../directory/fields";
import { issue } from "../../protocol/reason";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { LEVELS, organizationOf } from "./label-schemas";

const PICTURES = [
  { picture: "logo", name: "Logo", path: "logo", what: "logo" },
  { picture: "logoDark", name: "LogoDark", path: "logo_dark", what: "logo for the dark" },
  { picture: "icon", name: "Icon", path: "icon", what: "icon" },
  { picture: "iconDark", name: "IconDark", path: "icon_dark", what: "icon for the dark" },
] as const;

/** Bytes, in JSON as base64. */
const pictureBody = strict({
  content: z
    .string()
    .refine((text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, { error: issue("base64") })
    .transform((text) => new Uint8Array(Buffer.from(text, "base64")))
    .meta({ description: "PNG, JPEG or WebP of at most 512 kB, as base64", contentEncoding: "base64" }),
});

export const pictureOperations: readonly Operation[] = LEVELS.flatMap((level) =>
  PICTURES.flatMap(({ picture, name, path, what }) => [
    operation(`Set${level.name}LabelPolicy${name}`, `PUT ${level.path}/${path}`, {
      variant: { of: `Set${level.name}LabelPolicyPicture`, parameter: "picture", value: path },
      tag: "Branding",
      summary: `Set a ${what} in the draft branding`,
      description: `Also taken as the file of a form at POST /assets/v1/${level.name === "Instance" ? "instance" : "org"}/policy/label/${path.replace("_", "/")}.`,
      scope: level.scope("write"),
      body: pictureBody,
      effort: "heavy",
      carriesPicture: true,
      async handle(ctx, { body, origin, ...call }) {
        const of = { organizationId: organizationOf(call), picture };
        return detailsAnswer(await draftPicture(ctx, of, body.content, origin));
      },
    }),
    operation(`Remove${level.name}LabelPolicy${name}`, `DELETE ${level.path}/${path}`, {
      variant: { of: `Remove${level.name}LabelPolicyPicture`, parameter: "picture", value: path },
      tag: "Branding",
      summary: `Remove the ${what} from the draft branding`,
      scope: level.scope("delete"),
      async handle(ctx, { origin, ...call }) {
        const of = { organizationId: organizationOf(call), picture, what };
        return detailsAnswer(await removeDraftPicture(ctx, of, origin));
      },
    }),
  ]),
);
