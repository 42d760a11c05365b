/**
 * Policies of the instance and of organizations: read, set, changed, and reset to the inherited ones. Each kind has the
 * same seven operations; branding has its own (label.ts).
 */
import type { Context } from "../../context";
import { readShownPolicy } from "../../directory/policy/read";
import { addOwnPolicy, changeOwnPolicy, resetOwnPolicy, setInstancePolicy } from "../../directory/policy/set";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { OWN } from "../users/own";
import { type DeclaredPolicy, declaredPolicies, ownSettings, policyAnswer } from "./policy-schemas";

export const policyOperations: readonly Operation[] = declaredPolicies.flatMap(operationsOf);

function operationsOf(words: DeclaredPolicy): Operation[] {
  const { kind, name, ids, own, path, subject, description, shape } = words;
  const [instance, organization] = [`/admin/v1/policies/${path}`, `/management/v1/policies/${path}`];
  const answer = policyAnswer(name, { ...shape, ownSettings });
  /** Returns the common members of an operation on the policies of all kinds. */
  const as = (of: string) =>
    ({ tag: "Policies", description, calledAs: { of, parameter: "kind", value: path } }) as const;
  const replaces = [description, "Replaces what this level says; what is left out falls back to the level above."]
    .filter(Boolean)
    .join("\n\n");
  const { withoutEffect: unused = [] } = words;
  const withoutEffect = (_: Context, settings: object) => unused.filter((setting) => setting in settings);
  const body = { body: words.body, withoutEffect };
  const read = { answer, scope: { level: "organization", permission: "policy.read" } } as const;
  const write = {
    description: replaces,
    ...body,
    scope: { level: "organization", permission: "policy.write" },
  } as const;
  return [
    operation(ids.getInstance, `GET ${instance}`, {
      ...as("GetInstancePolicy"),
      summary: `Read ${subject}, on the instance`,
      scope: { level: "instance", permission: "iam.policy.read" },
      answer,
      handle: (ctx) => readPolicyAnswer(ctx, words, undefined),
    }),
    operation(ids.setInstance, `PUT ${instance}`, {
      ...as("SetInstancePolicy"),
      description: replaces,
      summary: `Set ${subject}, on the instance`,
      scope: { level: "instance", permission: "iam.policy.write" },
      ...body,
      handle: async (ctx, { body: settings }) => detailsAnswer(await setInstancePolicy(ctx, { kind, settings })),
    }),
    operation(ids.get, `GET ${organization}`, {
      ...as("GetPolicy"),
      ...read,
      summary: `Read ${subject}, as in force in an organization`,
      also: own && {
        [own.id]: {
          at: `GET /auth/v1/policies/${own.path}`,
          ...OWN,
          calledAs: undefined,
          description: undefined,
          summary: `Read ${subject}, as in force for the caller`,
        },
      },
      handle: (ctx, { organizationId }) => readPolicyAnswer(ctx, words, organizationId),
    }),
    operation(ids.getDefault, `GET /management/v1/policies/default/${path}`, {
      ...as("GetDefaultPolicy"),
      ...read,
      summary: `Read ${subject}, as inherited by an organization`,
      handle: (ctx) => readPolicyAnswer(ctx, words, undefined),
    }),
    operation(ids.add, `POST ${organization}`, {
      ...as("AddCustomPolicy"),
      ...write,
      summary: `Set ${subject}, for an organization that has none of its own`,
      handle: async (ctx, { body: settings, organizationId }) =>
        detailsAnswer(await addOwnPolicy(ctx, { kind, organizationId, settings })),
    }),
    operation(ids.update, `PUT ${organization}`, {
      ...as("UpdateCustomPolicy"),
      ...write,
      summary: `Change ${subject}, for an organization that has set it`,
      handle: async (ctx, { body: settings, organizationId }) =>
        detailsAnswer(await changeOwnPolicy(ctx, { kind, organizationId, settings })),
    }),
    operation(ids.reset, `DELETE ${organization}`, {
      ...as("ResetPolicyToDefault"),
      summary: `Reset ${subject} to the inherited one`,
      scope: { level: "organization", permission: "policy.delete" },
      handle: async (ctx, { organizationId }) => detailsAnswer(await resetOwnPolicy(ctx, { kind, organizationId })),
    }),
  ];
}

/** @param organizationId undefined: the policy of the instance */
async function readPolicyAnswer(ctx: Context, { kind, show }: DeclaredPolicy, organizationId: string | undefined) {
  const { details, settings, own, isDefault } = await readShownPolicy(ctx, kind, organizationId);
  return { policy: { details, ...show(settings as never), ownSettings: own, isDefault } };
}
