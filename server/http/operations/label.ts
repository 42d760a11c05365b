/**
 * The look of pages and mails: colours and pictures are tried out, then shown to people. Colours that cannot be read
 * are taken and shown readable; the answer says which.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { type BrandWarning, picturePath, warningsOf } from "../../directory/brand";
import { changeDirectory } from "../../directory/change";
import { strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import { activateLabel, draftLabel, hasLabel, type LabelColours, removeLabel } from "../../directory/label";
import { readPolicyLevels } from "../../directory/policies";
import { type LabelSettings, resolvePolicy, schemas, THEME_MODES } from "../../directory/policy-settings";
import type { Details, Origin } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { type Operation, operation, type Scope } from "./operation";
import { ownAnswer, policyDetails } from "./policies";
import { policyAnswer } from "./policy-words";
import { changed, details } from "./schemas";

/** What a label policy is set on. */
export interface Level {
  /** As in the ids of operations: GetInstanceLabelPolicy, GetLabelPolicy. */
  name: "Instance" | "Custom";
  path: string;
  scope(verb: "read" | "write" | "delete"): Scope;
  /** Whose policy it is; undefined: the instance's. */
  organizationOf(organizationId: string): string | undefined;
}

export const LEVELS: readonly Level[] = [
  {
    name: "Instance",
    path: "/admin/v1/policies/label",
    scope: (verb) => ({ level: "instance", permission: `iam.policy.${verb}` }),
    organizationOf: () => undefined,
  },
  {
    name: "Custom",
    path: "/management/v1/policies/label",
    scope: (verb) => ({ level: "organization", permission: `policy.${verb}` }),
    organizationOf: (organizationId) => organizationId,
  },
];

export async function ownerOf(ctx: Context, level: Level, organizationId: string): Promise<string> {
  return level.organizationOf(organizationId) ?? (await findInstance(ctx)).id;
}

const { logo: _, logoDark: __, icon: ___, iconDark: ____, ...chosen } = schemas.label.shape;
const COLOURS = [
  ...["primaryColor", "backgroundColor", "warnColor", "fontColor"],
  ...["primaryColorDark", "backgroundColorDark", "warnColorDark", "fontColorDark"],
] as (keyof LabelColours)[];
const URLS = { logo: "logoUrl", logoDark: "logoUrlDark", icon: "iconUrl", iconDark: "iconUrlDark" } as const;
const PREFIX = "THEME_MODE_";

/** Empty is inherited, as if it were left out. */
const orInherited = <Field extends z.ZodType>(field: Field) =>
  z.union([z.literal("").transform(() => undefined), field]).optional();

/** What a request may say of a look. */
export const labelFields = {
  ...Object.fromEntries(COLOURS.map((name) => [name, orInherited(chosen[name])])),
  themeMode: z
    .string()
    .transform((mode) => mode.replace(PREFIX, ""))
    .pipe(
      z.enum([...THEME_MODES, "UNSPECIFIED"], {
        error: `must be ${THEME_MODES.map((mode) => PREFIX + mode).join(" or ")}`,
      }),
    )
    .transform((mode) => (mode === "UNSPECIFIED" ? undefined : mode))
    .optional(),
  hideLoginNameSuffix: chosen.hideLoginNameSuffix.optional(),
  disableWatermark: chosen.disableWatermark.optional(),
};

/** What was said of it, without what is inherited. */
export function saidColours(body: object): Partial<LabelColours> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

const labelBody = strict(labelFields).transform(saidColours);

export const warnings = z.array(z.object({ field: z.string(), message: z.string() }));
const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const shape = {
  ...Object.fromEntries(COLOURS.map((name) => [name, colour])),
  themeMode: z.enum(THEME_MODES.map((mode) => PREFIX + mode)),
  hideLoginNameSuffix: z.boolean(),
  disableWatermark: z.boolean(),
  ...Object.fromEntries(Object.values(URLS).map((name) => [name, z.string().optional()])),
};
const shown = policyAnswer("Label", shape);
const preview = policyAnswer("LabelPreview", shape, { warnings });
const drafted = z.object({ details, warnings }).meta({ id: "ChangedLabel" });

/** What is shown, or tried out, with what the colours do to those who read. */
export async function readLabel(ctx: Context, kind: "label" | "labelPreview", organizationId: string | undefined) {
  const active = await readPolicyLevels(ctx, "label", organizationId);
  const draft = kind === "label" ? active : await readPolicyLevels(ctx, "labelPreview", organizationId);
  // Above an organization stands what the instance shows, not what it tries out.
  const levels =
    organizationId === undefined
      ? [draft.instance ?? active.instance]
      : [active.instance, draft.organization ?? active.organization];
  const own = levels.at(-1);
  const settings = resolvePolicy("label", levels);
  return { settings, above: levels.slice(0, -1), own, isDefault: organizationId === undefined || own === undefined };
}

/** Those that whoever set the level can do something about. */
export function ownWarnings(settings: LabelSettings, own: Record<string, unknown> = {}): BrandWarning[] {
  return warningsOf(settings).filter(({ field }) => {
    const background = field.endsWith("Dark") ? "backgroundColorDark" : "backgroundColor";
    return own[field] !== undefined || own[background] !== undefined;
  });
}

async function labelAnswer(ctx: Context, kind: "label" | "labelPreview", organizationId: string | undefined) {
  const { settings, own, isDefault } = await readLabel(ctx, kind, organizationId);
  const { logo, logoDark, icon, iconDark, themeMode, ...rest } = settings;
  const pictures = { logo, logoDark, icon, iconDark };
  const urls = Object.entries(URLS).flatMap(([name, url]) => {
    const digest = pictures[name as keyof typeof pictures]?.digest;
    return digest === undefined ? [] : [[url, `${ctx.config.baseUrl}${picturePath(digest)}`]];
  });
  const policy = {
    details: await policyDetails(ctx, kind, isDefault ? undefined : organizationId),
    ...rest,
    themeMode: `${PREFIX}${themeMode}`,
    ...Object.fromEntries(urls),
    isDefault,
  };
  return kind === "label" ? { policy } : { policy, warnings: ownWarnings(settings, own) };
}

/** @param must what has to be so beforehand, for an organization */
async function draft(
  ctx: Context,
  organizationId: string | undefined,
  colours: Partial<LabelColours>,
  origin: Origin,
  must?: "exist" | "not exist",
) {
  const ownerId = organizationId ?? (await findInstance(ctx)).id;
  const outcome = await changeDirectory<Details | "exists" | "missing">(ctx, async (tx) => {
    const exists = must !== undefined && (await hasLabel(tx, ownerId));
    if (must === "exist" && !exists) return "missing";
    if (must === "not exist" && exists) return "exists";
    return draftLabel(ctx, tx, ownerId, colours, origin);
  });
  if (typeof outcome === "string") return ownAnswer(outcome) as ApiError;
  const { settings, own } = await readLabel(ctx, "labelPreview", organizationId);
  return { details: outcome, warnings: ownWarnings(settings, own) };
}

const TAG = { tag: "Branding" } as const;
const DRAFT =
  "Replaces the colours that are tried out; pictures stay, and people see nothing of it until it is activated.";
const [instance, organization] = LEVELS as [Level, Level];

export const labelOperations: readonly Operation[] = [
  ...LEVELS.flatMap((level): Operation[] => [
    operation({
      ...{ id: level === instance ? "GetInstanceLabelPolicy" : "GetLabelPolicy", method: "GET", path: level.path },
      ...{ ...TAG, scope: level.scope("read"), answer: shown },
      summary: "Read the look of pages and mails",
      handle: (ctx, call) => labelAnswer(ctx, "label", level.organizationOf(call.organizationId)),
    }),
    operation({
      ...{ id: `Get${level.name}PreviewLabelPolicy`, method: "GET", path: `${level.path}/_preview` },
      ...{ ...TAG, scope: level.scope("read"), answer: preview },
      summary: "Read the look that is tried out",
      handle: (ctx, call) => labelAnswer(ctx, "labelPreview", level.organizationOf(call.organizationId)),
    }),
    operation({
      ...{ id: `Activate${level.name}LabelPolicy`, method: "POST", path: `${level.path}/_activate` },
      ...{ ...TAG, scope: level.scope("write"), body: strict({}), bodyIsOptional: true, answer: changed },
      summary: "Show people the look that is tried out",
      async handle(ctx, call) {
        const ownerId = await ownerOf(ctx, level, call.organizationId);
        const outcome = await changeDirectory(ctx, (tx) => activateLabel(ctx, tx, ownerId, call.origin));
        if (outcome) return { details: outcome };
        return failedPrecondition("label.no_preview", "Nothing is tried out here that could be shown.");
      },
    }),
  ]),
  operation({
    ...{ id: "SetInstanceLabelPolicy", method: "PUT", path: instance.path, ...TAG, description: DRAFT },
    summary: "Try out a look of pages and mails, for the instance",
    ...{ scope: instance.scope("write"), body: labelBody, answer: drafted },
    handle: (ctx, { body, origin }) => draft(ctx, undefined, body, origin),
  }),
  operation({
    ...{ id: "AddCustomLabelPolicy", method: "POST", path: organization.path, ...TAG, description: DRAFT },
    summary: "Try out a look of its own, for an organization that has none yet",
    ...{ scope: organization.scope("write"), body: labelBody, answer: drafted },
    handle: (ctx, { body, origin, organizationId }) => draft(ctx, organizationId, body, origin, "not exist"),
  }),
  operation({
    ...{ id: "UpdateCustomLabelPolicy", method: "PUT", path: organization.path, ...TAG, description: DRAFT },
    summary: "Change the look an organization tries out",
    ...{ scope: organization.scope("write"), body: labelBody, answer: drafted },
    handle: (ctx, { body, origin, organizationId }) => draft(ctx, organizationId, body, origin, "exist"),
  }),
  operation({
    ...{ id: "ResetLabelPolicyToDefault", method: "DELETE", path: organization.path, ...TAG },
    summary: "Return to the look the organization inherits",
    ...{ scope: organization.scope("delete"), answer: changed },
    async handle(ctx, { origin, organizationId }) {
      const outcome = await changeDirectory<Details | "missing">(ctx, async (tx) => {
        return (await hasLabel(tx, organizationId)) ? removeLabel(ctx, tx, organizationId, origin) : "missing";
      });
      return ownAnswer(outcome);
    },
  }),
  operation({
    ...{ id: "GetDefaultLabelPolicy", method: "GET", path: "/management/v1/policies/default/label", ...TAG },
    summary: "Read the look an organization inherits",
    ...{ scope: organization.scope("read"), answer: shown },
    handle: (ctx) => labelAnswer(ctx, "label", undefined),
  }),
];
