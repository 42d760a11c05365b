/**
 * The branding of pages and mails: colours and pictures are first tried out, then shown to everyone. Colours with too
 * little contrast are accepted and corrected when they are shown; the answer says which.
 */
import { draftColours, publishLook, resetLook } from "../../directory/branding/draft";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { OWN } from "../users/own";
import { noBody } from "../users/user-ref";
import {
  drafted,
  type LabelLevel,
  LEVELS,
  labelAnswer,
  labelBody,
  organizationOf,
  preview,
  shown,
} from "./label-schemas";

const DRAFT = "Replaces the draft colours and keeps the pictures. Users see the change only after it is activated.";
const [instance, organization] = LEVELS as [LabelLevel, LabelLevel];

export const labelOperations: readonly Operation[] = [
  operation("GetLabelPolicy", `GET ${organization.path}`, {
    tag: "Branding",
    scope: organization.scope("read"),
    answer: shown,
    summary: "Read the branding of pages and emails",
    also: {
      GetInstanceLabelPolicy: { at: `GET ${instance.path}`, scope: instance.scope("read") },
      GetMyLabelPolicy: {
        at: "GET /auth/v1/policies/label",
        ...OWN,
        summary: "Read the branding of pages and emails, as in force for the caller",
      },
    },
    handle: (ctx, call) => labelAnswer(ctx, "label", organizationOf(call)),
  }),
  operation("GetCustomPreviewLabelPolicy", `GET ${organization.path}/_preview`, {
    tag: "Branding",
    scope: organization.scope("read"),
    answer: preview,
    summary: "Read the draft branding",
    also: {
      GetInstancePreviewLabelPolicy: { at: `GET ${instance.path}/_preview`, scope: instance.scope("read") },
    },
    handle: (ctx, call) => labelAnswer(ctx, "labelPreview", organizationOf(call)),
  }),
  operation("ActivateCustomLabelPolicy", `POST ${organization.path}/_activate`, {
    tag: "Branding",
    scope: organization.scope("write"),
    ...noBody,
    summary: "Publish the draft branding",
    also: { ActivateInstanceLabelPolicy: { at: `POST ${instance.path}/_activate`, scope: instance.scope("write") } },
    handle: async (ctx, call) => detailsAnswer(await publishLook(ctx, organizationOf(call))),
  }),
  operation("SetInstanceLabelPolicy", `PUT ${instance.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of the instance",
    scope: instance.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body }) => draftColours(ctx, { organizationId: undefined, colours: body }),
  }),
  operation("AddCustomLabelPolicy", `POST ${organization.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Create a draft branding for an organization that has none of its own",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body: colours, organizationId }) => draftColours(ctx, { organizationId, colours, expects: "none" }),
  }),
  operation("UpdateCustomLabelPolicy", `PUT ${organization.path}`, {
    tag: "Branding",
    description: DRAFT,
    summary: "Change the draft branding of an organization",
    scope: organization.scope("write"),
    body: labelBody,
    answer: drafted,
    handle: (ctx, { body: colours, organizationId }) => draftColours(ctx, { organizationId, colours, expects: "some" }),
  }),
  operation("ResetLabelPolicyToDefault", `DELETE ${organization.path}`, {
    tag: "Branding",
    summary: "Reset an organization's branding to the inherited one",
    scope: organization.scope("delete"),
    handle: async (ctx, { organizationId }) => detailsAnswer(await resetLook(ctx, organizationId)),
  }),
  operation("GetDefaultLabelPolicy", "GET /management/v1/policies/default/label", {
    tag: "Branding",
    summary: "Read the branding that an organization inherits",
    scope: organization.scope("read"),
    answer: shown,
    handle: (ctx) => labelAnswer(ctx, "label", undefined),
  }),
];
