/**
 * The branding of pages and mails: colours and pictures are first tried out, then shown to everyone. Colours with too
 * little contrast are accepted and corrected when they are shown; the answer says which.
 */
import type { Context } from "../context";
import { activateLabel, draftLabel, hasLabel, type LabelColours, removeLabel } from "../directory/brand/label";
import { changeDirectory } from "../directory/change";
import { strict } from "../directory/fields";
import { findInstance } from "../directory/instance";
import type { Details, Origin } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";
import {
  drafted,
  LEVELS,
  type Level,
  labelAnswer,
  labelBody,
  ownerOf,
  ownWarnings,
  preview,
  readLabel,
  shown,
} from "./label-words";
import { type Operation, operation } from "./operation";
import { ownAnswer } from "./policies";
import { changed } from "./schemas";

/** @param must whether the organization's own branding must or must not exist already */
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

const DRAFT =
  "Replaces the colours that are tried out; pictures stay, and people see nothing of it until it is activated.";
const [instance, organization] = LEVELS as [Level, Level];

export const labelOperations: readonly Operation[] = [
  ...LEVELS.flatMap((level): Operation[] => [
    operation({
      id: level === instance ? "GetInstanceLabelPolicy" : "GetLabelPolicy",
      method: "GET",
      path: level.path,
      tag: "Branding",
      scope: level.scope("read"),
      answer: shown,
      summary: "Read the branding of pages and mails",
      handle: (ctx, call) => labelAnswer(ctx, "label", level.organizationOf(call.organizationId)),
    }),
    operation({
      id: `Get${level.name}PreviewLabelPolicy`,
      method: "GET",
      path: `${level.path}/_preview`,
      tag: "Branding",
      scope: level.scope("read"),
      answer: preview,
      summary: "Read the draft branding",
      handle: (ctx, call) => labelAnswer(ctx, "labelPreview", level.organizationOf(call.organizationId)),
    }),
    operation({
      id: `Activate${level.name}LabelPolicy`,
      method: "POST",
      path: `${level.path}/_activate`,
      tag: "Branding",
      scope: level.scope("write"),
      body: strict({}),
      bodyIsOptional: true,
      answer: changed,
      summary: "Publish the draft branding",
      async handle(ctx, call) {
        const ownerId = await ownerOf(ctx, level, call.organizationId);
        const outcome = await changeDirectory(ctx, (tx) => activateLabel(ctx, tx, ownerId, call.origin));
        if (outcome) return { details: outcome };
        return failedPrecondition("label.no_preview", "Nothing is tried out here that could be shown.");
      },
    }),
  ]),
  operation({
    id: "SetInstanceLabelPolicy",
    method: "PUT",
    path: instance.path,
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of the instance",
    scope: instance.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body, origin }) => draft(ctx, undefined, body, origin),
  }),
  operation({
    id: "AddCustomLabelPolicy",
    method: "POST",
    path: organization.path,
    tag: "Branding",
    description: DRAFT,
    summary: "Create a draft branding for an organization that has none of its own",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body, origin, organizationId }) => draft(ctx, organizationId, body, origin, "not exist"),
  }),
  operation({
    id: "UpdateCustomLabelPolicy",
    method: "PUT",
    path: organization.path,
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of an organization",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body, origin, organizationId }) => draft(ctx, organizationId, body, origin, "exist"),
  }),
  operation({
    id: "ResetLabelPolicyToDefault",
    method: "DELETE",
    path: organization.path,
    tag: "Branding",
    summary: "Reset an organization's branding to the inherited one",
    scope: organization.scope("delete"),
    answer: changed,
    async handle(ctx, { origin, organizationId }) {
      const outcome = await changeDirectory<Details | "missing">(ctx, async (tx) => {
        return (await hasLabel(tx, organizationId)) ? removeLabel(ctx, tx, organizationId, origin) : "missing";
      });
      return ownAnswer(outcome);
    },
  }),
  operation({
    id: "GetDefaultLabelPolicy",
    method: "GET",
    path: "/management/v1/policies/default/label",
    tag: "Branding",
    summary: "Read the branding that an organization inherits",
    scope: organization.scope("read"),
    answer: shown,
    handle: (ctx) => labelAnswer(ctx, "label", undefined),
  }),
];
