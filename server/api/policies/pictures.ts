/** Sets and removes the logos and icons of the draft branding. */
import { z } from "zod";
import { draftPicture, removeDraftPicture } from "../../directory/branding/draft";
import { strict } from "../../directory/fields";
import type { PictureName } from "../../directory/policy/settings";
import { issue } from "../../protocol/reason";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { type LabelLevel, LEVELS, organizationOf } from "./label-schemas";

const PICTURES: readonly {
  picture: PictureName;
  path: string;
  what: string;
  ids: Readonly<Record<LabelLevel["name"], { set: string; remove: string }>>;
}[] = [
  {
    picture: "logo",
    path: "logo",
    what: "logo",
    ids: {
      Instance: { set: "SetInstanceLabelPolicyLogo", remove: "RemoveInstanceLabelPolicyLogo" },
      Custom: { set: "SetCustomLabelPolicyLogo", remove: "RemoveCustomLabelPolicyLogo" },
    },
  },
  {
    picture: "logoDark",
    path: "logo_dark",
    what: "logo for the dark",
    ids: {
      Instance: { set: "SetInstanceLabelPolicyLogoDark", remove: "RemoveInstanceLabelPolicyLogoDark" },
      Custom: { set: "SetCustomLabelPolicyLogoDark", remove: "RemoveCustomLabelPolicyLogoDark" },
    },
  },
  {
    picture: "icon",
    path: "icon",
    what: "icon",
    ids: {
      Instance: { set: "SetInstanceLabelPolicyIcon", remove: "RemoveInstanceLabelPolicyIcon" },
      Custom: { set: "SetCustomLabelPolicyIcon", remove: "RemoveCustomLabelPolicyIcon" },
    },
  },
  {
    picture: "iconDark",
    path: "icon_dark",
    what: "icon for the dark",
    ids: {
      Instance: { set: "SetInstanceLabelPolicyIconDark", remove: "RemoveInstanceLabelPolicyIconDark" },
      Custom: { set: "SetCustomLabelPolicyIconDark", remove: "RemoveCustomLabelPolicyIconDark" },
    },
  },
];

/** Bytes, in JSON as base64. */
const pictureBody = strict({
  content: z
    .string()
    .refine((text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, { error: issue("base64") })
    .transform((text) => new Uint8Array(Buffer.from(text, "base64")))
    .meta({ description: "PNG, JPEG or WebP of at most 512 kB, as base64", contentEncoding: "base64" }),
});

export const pictureOperations: readonly Operation[] = LEVELS.flatMap((level) =>
  PICTURES.flatMap(({ picture, path, ids: { [level.name]: ids }, what }) => [
    operation(ids.set, `PUT ${level.path}/${path}`, {
      variant: { of: `Set${level.name}LabelPolicyPicture`, parameter: "picture", value: path },
      tag: "Branding",
      summary: `Set a ${what} in the draft branding`,
      description: `Also taken as the file of a form at POST /assets/v1/${level.name === "Instance" ? "instance" : "org"}/policy/label/${path.replace("_", "/")}.`,
      scope: level.scope("write"),
      body: pictureBody,
      effort: "heavy",
      carriesPicture: true,
      async handle(ctx, { body, ...call }) {
        const of = { organizationId: organizationOf(call), picture };
        return detailsAnswer(await draftPicture(ctx, of, body.content));
      },
    }),
    operation(ids.remove, `DELETE ${level.path}/${path}`, {
      variant: { of: `Remove${level.name}LabelPolicyPicture`, parameter: "picture", value: path },
      tag: "Branding",
      summary: `Remove the ${what} from the draft branding`,
      scope: level.scope("delete"),
      async handle(ctx, { ...call }) {
        const of = { organizationId: organizationOf(call), picture, what };
        return detailsAnswer(await removeDraftPicture(ctx, of));
      },
    }),
  ]),
);
