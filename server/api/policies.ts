/**
 * Policies of the instance and of organizations: read, set, changed, and reset to the inherited ones. Each kind has the
 * same seven operations; branding has its own (label.ts).
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { findInstance } from "../directory/instance";
import { addOwnPolicy, changeOwnPolicy, resetOwnPolicy } from "../directory/policy/own";
import { aggregateIdOf, type PolicyKind, readPolicyLevels, setPolicy } from "../directory/policy/policies";
import { resolvePolicy } from "../directory/policy/settings";
import { findDetails } from "../events/details";
import type { Details } from "../events/record";
import { type ApiError, alreadyExists, notFound } from "../protocol/api-error";
import { type Operation, operation } from "./operation";
import { type PolicyWords, policyAnswer, policyWords } from "./policy-words";
import { changed } from "./schemas";

export const policyOperations: readonly Operation[] = policyWords.flatMap(operationsOf);

function operationsOf(words: PolicyWords): Operation[] {
  const { kind, name, path, subject, description, body, shape } = words;
  const [instance, organization] = [`/admin/v1/policies/${path}`, `/management/v1/policies/${path}`];
  const answer = policyAnswer(name, shape);
  const rest = { tag: "Policies", description } as const;
  const replaces = [description, "Replaces what this level says; what is left out falls back to the level above."]
    .filter(Boolean)
    .join("\n\n");
  return [
    operation({
      id: `GetInstance${name}Policy`,
      method: "GET",
      path: instance,
      ...rest,
      summary: `Read ${subject}, on the instance`,
      scope: { level: "instance", permission: "iam.policy.read" },
      answer,
      handle: (ctx) => readPolicyAnswer(ctx, words, undefined),
    }),
    operation({
      id: `SetInstance${name}Policy`,
      method: "PUT",
      path: instance,
      ...rest,
      description: replaces,
      summary: `Set ${subject}, on the instance`,
      scope: { level: "instance", permission: "iam.policy.write" },
      body,
      answer: changed,
      async handle(ctx, { body: settings, origin, caller }) {
        const refusal = await words.check?.(ctx, { callerId: caller.userId, organizationId: undefined, settings });
        if (refusal) return refusal;
        const { id } = await findInstance(ctx);
        return { details: await changeDirectory(ctx, (tx) => setPolicy(ctx, tx, id, kind, settings, origin)) };
      },
    }),
    operation({
      id: `Get${name}Policy`,
      method: "GET",
      path: organization,
      ...rest,
      summary: `Read ${subject}, as in force in an organization`,
      scope: { level: "organization", permission: "policy.read" },
      answer,
      handle: (ctx, { organizationId }) => readPolicyAnswer(ctx, words, organizationId),
    }),
    operation({
      id: `GetDefault${name}Policy`,
      method: "GET",
      path: `/management/v1/policies/default/${path}`,
      ...rest,
      summary: `Read ${subject}, as inherited by an organization`,
      scope: { level: "organization", permission: "policy.read" },
      answer,
      handle: (ctx) => readPolicyAnswer(ctx, words, undefined),
    }),
    operation({
      id: `AddCustom${name}Policy`,
      method: "POST",
      path: organization,
      ...rest,
      description: replaces,
      summary: `Set ${subject}, for an organization that has none of its own`,
      scope: { level: "organization", permission: "policy.write" },
      body,
      answer: changed,
      async handle(ctx, { body: settings, origin, organizationId, caller }) {
        const refusal = await words.check?.(ctx, { callerId: caller.userId, organizationId, settings });
        return refusal ?? ownAnswer(await addOwnPolicy(ctx, { ownerId: organizationId, kind }, settings, origin));
      },
    }),
    operation({
      id: `UpdateCustom${name}Policy`,
      method: "PUT",
      path: organization,
      ...rest,
      description: replaces,
      summary: `Change ${subject}, for an organization that has set it`,
      scope: { level: "organization", permission: "policy.write" },
      body,
      answer: changed,
      async handle(ctx, { body: settings, origin, organizationId, caller }) {
        const refusal = await words.check?.(ctx, { callerId: caller.userId, organizationId, settings });
        return refusal ?? ownAnswer(await changeOwnPolicy(ctx, { ownerId: organizationId, kind }, settings, origin));
      },
    }),
    operation({
      id: `Reset${name}PolicyToDefault`,
      method: "DELETE",
      path: organization,
      ...rest,
      summary: `Reset ${subject} to the inherited one`,
      scope: { level: "organization", permission: "policy.delete" },
      answer: changed,
      async handle(ctx, { origin, organizationId, caller }) {
        const inherited = { callerId: caller.userId, organizationId, settings: undefined };
        const refusal = await words.check?.(ctx, inherited);
        return refusal ?? ownAnswer(await resetOwnPolicy(ctx, { ownerId: organizationId, kind }, origin));
      },
    }),
  ];
}

/** @param organizationId undefined: the policy of the instance */
async function readPolicyAnswer(ctx: Context, { kind, show }: PolicyWords, organizationId: string | undefined) {
  const { instance, organization } = await readPolicyLevels(ctx, kind, organizationId);
  const isDefault = organization === undefined;
  const settings = show(resolvePolicy(kind, [instance, organization]) as never);
  return {
    policy: { details: await policyDetails(ctx, kind, isDefault ? undefined : organizationId), ...settings, isDefault },
  };
}

/** A policy that was never set gets the dates of the instance. */
export async function policyDetails(
  ctx: Context,
  kind: PolicyKind,
  organizationId: string | undefined,
): Promise<Details> {
  const { id, createdAt } = await findInstance(ctx);
  const found = await findDetails(ctx, "policy", aggregateIdOf(organizationId ?? id, kind));
  const at = new Date(createdAt).toISOString();
  return found ?? { sequence: "0", creationDate: at, changeDate: at, resourceOwner: id };
}

/** The answer for a change of an organization's own policy. */
export function ownAnswer(outcome: Details | "exists" | "missing"): { details: Details } | ApiError {
  if (outcome === "exists") {
    return alreadyExists("policy.already_exists", "The organization has set this already. Change it with PUT.");
  }
  if (outcome === "missing") {
    return notFound("policy.not_found", "The organization has not set this; what it inherits holds.");
  }
  return { details: outcome };
}
