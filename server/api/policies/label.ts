/**
 * The branding of pages and mails: colours and pictures are first tried out, then shown to everyone. Colours with too
 * little contrast are accepted and corrected when they are shown; the answer says which.
 */
import { draftColours } from "../../directory/branding/draft";
import { publishLook, resetLook } from "../../directory/branding/publish";
import { strict } from "../../directory/fields";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { drafted, type LabelLevel, LEVELS, labelAnswer, labelBody, preview, shown } from "./label-schemas";

const DRAFT = "Replaces the draft colours and keeps the pictures. People see the change only after it is activated.";
const [instance, organization] = LEVELS as [LabelLevel, LabelLevel];

export const labelOperations: readonly Operation[] = [
  ...LEVELS.flatMap((level): Operation[] => [
    operation(level === instance ? "GetInstanceLabelPolicy" : "GetLabelPolicy", `GET ${level.path}`, {
      tag: "Branding",
      scope: level.scope("read"),
      answer: shown,
      summary: "Read the branding of pages and emails",
      handle: (ctx, call) => labelAnswer(ctx, "label", level.organizationOf(call.organizationId)),
    }),
    operation(`Get${level.name}PreviewLabelPolicy`, `GET ${level.path}/_preview`, {
      tag: "Branding",
      scope: level.scope("read"),
      answer: preview,
      summary: "Read the draft branding",
      handle: (ctx, call) => labelAnswer(ctx, "labelPreview", level.organizationOf(call.organizationId)),
    }),
    operation(`Activate${level.name}LabelPolicy`, `POST ${level.path}/_activate`, {
      tag: "Branding",
      scope: level.scope("write"),
      body: strict({}),
      bodyIsOptional: true,
      summary: "Publish the draft branding",
      handle: async (ctx, call) =>
        detailsAnswer(await publishLook(ctx, level.organizationOf(call.organizationId), call.origin)),
    }),
  ]),
  operation("SetInstanceLabelPolicy", `PUT ${instance.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of the instance",
    scope: instance.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body, origin }) => draftColours(ctx, { organizationId: undefined, colours: body }, origin),
  }),
  operation("AddCustomLabelPolicy", `POST ${organization.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Create a draft branding for an organization that has none of its own",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body: colours, origin, organizationId }) =>
      draftColours(ctx, { organizationId, colours, expects: "none" }, origin),
  }),
  operation("UpdateCustomLabelPolicy", `PUT ${organization.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of an organization",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body: colours, origin, organizationId }) =>
      draftColours(ctx, { organizationId, colours, expects: "some" }, origin),
  }),
  operation("ResetLabelPolicyToDefault", `DELETE ${organization.path}`, {
    tag: "Branding",
    summary: "Reset an organization's branding to the inherited one",
    scope: organization.scope("delete"),
    handle: async (ctx, { origin, organizationId }) => detailsAnswer(await resetLook(ctx, organizationId, origin)),
  }),
  operation("GetDefaultLabelPolicy", "GET /management/v1/policies/default/label", {
    tag: "Branding",
    summary: "Read the branding that an organization inherits",
    scope: organization.scope("read"),
    answer: shown,
    handle: (ctx) => labelAnswer(ctx, "label", undefined),
  }),
];
