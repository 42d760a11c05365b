/**
 * Branding ("label policy") as the management API has it: the levels it is set at, the fields of requests and of
 * answers.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { picturePath } from "../../directory/branding/branding";
import type { LabelColours } from "../../directory/branding/label";
import { type LookKind, readShownLook } from "../../directory/branding/read";
import { strict } from "../../directory/fields";
import { schemas, THEME_MODES } from "../../directory/policy/settings";
import { issue } from "../../protocol/reason";
import type { OperationCall, OperationScope } from "../operation/operation";
import { details, orAbsent } from "../operation/schemas";
import { policyAnswer } from "./policy-schemas";

export interface LabelLevel {
  /** Part of operation ids, as in GetInstanceLabelPolicy. */
  name: "Instance" | "Custom";
  path: string;
  scope(verb: "read" | "write" | "delete"): OperationScope;
}

export const LEVELS: readonly LabelLevel[] = [
  {
    name: "Instance",
    path: "/admin/v1/policies/label",
    scope: (verb) => ({ level: "instance", permission: `iam.policy.${verb}` }),
  },
  {
    name: "Custom",
    path: "/management/v1/policies/label",
    scope: (verb) => ({ level: "organization", permission: `policy.${verb}` }),
  },
];

/** The organization whose policy a call is about; undefined: the instance's. */
export const organizationOf = ({
  level,
  organizationId,
}: Pick<OperationCall<unknown, unknown>, "level" | "organizationId">) =>
  level === "instance" ? undefined : organizationId;

const { logo: _, logoDark: __, icon: ___, iconDark: ____, ...chosen } = schemas.label.shape;
const COLOURS = [
  ...["primaryColor", "backgroundColor", "warnColor", "fontColor"],
  ...["primaryColorDark", "backgroundColorDark", "warnColorDark", "fontColorDark"],
] as (keyof LabelColours)[];
const URLS = { logo: "logoUrl", logoDark: "logoUrlDark", icon: "iconUrl", iconDark: "iconUrlDark" } as const;
const PREFIX = "THEME_MODE_";
const WORDS = [...THEME_MODES, "UNSPECIFIED"] as const;

/** The fields of a request. */
export const labelFields = {
  ...Object.fromEntries(COLOURS.map((name) => [name, orAbsent(chosen[name])])),
  themeMode: z
    .enum([...WORDS.map((word) => `${PREFIX}${word}` as const), ...WORDS], {
      error: issue("one_of", { values: THEME_MODES.map((mode) => PREFIX + mode).join(", ") }),
    })
    .transform((mode) => THEME_MODES.find((word) => mode.endsWith(word)))
    .optional(),
  hideLoginNameSuffix: chosen.hideLoginNameSuffix.optional(),
  disableWatermark: chosen.disableWatermark.optional(),
};

/** Returns the colours of a request, without inherited ones. */
export function brandColours(body: object): Partial<LabelColours> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export const labelBody = strict(labelFields).transform(brandColours);

export const warnings = z.array(z.object({ field: z.string(), message: z.string() }));
const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const shape = {
  ...Object.fromEntries(COLOURS.map((name) => [name, colour])),
  themeMode: z.enum(THEME_MODES.map((mode) => PREFIX + mode)),
  hideLoginNameSuffix: z.boolean(),
  disableWatermark: z.boolean(),
  ...Object.fromEntries(Object.values(URLS).map((name) => [name, z.string().optional()])),
};
export const shown = policyAnswer("Label", shape);
export const preview = policyAnswer("LabelPreview", shape, { warnings });
export const drafted = z.object({ details, warnings }).meta({ id: "ChangedLabel" });

/** @param organizationId undefined: the instance's */
export async function labelAnswer(ctx: Context, kind: LookKind, organizationId: string | undefined) {
  const { settings, isDefault, details, warnings } = await readShownLook(ctx, kind, organizationId);
  const { logo, logoDark, icon, iconDark, themeMode, ...rest } = settings;
  const pictures = { logo, logoDark, icon, iconDark };
  const urls = Object.entries(URLS).flatMap(([name, url]) => {
    const digest = pictures[name as keyof typeof pictures]?.digest;
    return digest === undefined ? [] : [[url, `${ctx.config.baseUrl}${picturePath(digest)}`]];
  });
  const policy = {
    details,
    ...rest,
    themeMode: `${PREFIX}${themeMode}`,
    ...Object.fromEntries(urls),
    isDefault,
  };
  return kind === "label" ? { policy } : { policy, warnings };
}
