/** Sets the claim mapping of identity providers, and tries it with sample claims. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { findReadableProvider, noIdentityProvider } from "../../directory/identity-provider/identity-provider";
import {
  instanceProviderMapping,
  providerMapping,
  setProviderMapping,
} from "../../directory/identity-provider/mapping";
import { tryMapping } from "../../login/providers/try-mapping";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { idAt, idOf, ofOneOrganization, ofService, type ProviderLevel } from "../providers/provider-operations";

const tag = "Identity providers";

const RULES = {
  instance:
    "Rules may name any project of the service. Users get its roles where their own organization has the project, or a " +
    "grant of it that includes the role. Rules that give roles take the permission `user.grant.write` in the instance",
  organization: "Rules that give roles take the permission `user.grant.write` in the organization",
};

const mappingOperations = (at: ProviderLevel): readonly Operation[] => [
  operation(idAt(at, ["SetInstanceProviderMapping", "SetProviderMapping"]), `PUT ${at.path}/idps/:id/mapping`, {
    tag,
    summary: `Map claims of an identity provider of ${at.of} to names and roles of projects`,
    description:
      "Replaces the mapping. While `isAutoUpdate` is on, it is applied at each sign-in by the provider: users get the " +
      "roles of all rules that apply, and lose those that the mapping gave before and no rule gives now. Roles given " +
      `otherwise stay. ${RULES[at.level]}, also to change the provider later.`,
    scope: at.scope("write"),
    body: mappingAt(at),
    handle: async (ctx, call) =>
      detailsAnswer(await setProviderMapping(ctx, await at.owner(ctx, call), idOf(call), call.body)),
  }),
  operation(
    idAt(at, ["TestInstanceProviderMapping", "TestProviderMapping"]),
    `POST ${at.path}/idps/:id/_test_mapping`,
    {
      tag,
      summary: `Try the mapping of an identity provider of ${at.of} with a sample of its claims`,
      description: "Changes nothing. `mapping` is tried instead of the saved one.",
      scope: at.scope("read"),
      body: strict({
        claims: z
          .record(z.string().max(200), z.unknown())
          .meta({ description: "The claims of an id_token or of the user endpoint" }),
        mapping: mappingAt(at).optional(),
      }),
      answer: z.object({
        profile: z
          .object({
            id: z.string(),
            userName: z.string(),
            givenName: z.string().optional(),
            familyName: z.string().optional(),
            email: z.string().optional(),
            isEmailVerified: z.boolean(),
          })
          .optional()
          .meta({ description: "Left out if the claims have no id of the user: the sign-in would be refused" }),
        matchedRules: z.array(z.number()).meta({ description: "The indexes of the rules that apply" }),
        roles: z.array(
          z.object({ projectId: z.string(), projectGrantId: z.string().optional(), roleKeys: z.array(z.string()) }),
        ),
      }),
      async handle(ctx, call) {
        const { ownerId } = await at.owner(ctx, call);
        const provider = await findReadableProvider(ctx, ownerId, idOf(call));
        return provider?.ownerId === ownerId ? tryMapping(provider, call.body) : noIdentityProvider();
      },
    },
  ),
];

const mappingAt = ({ level }: ProviderLevel) => (level === "instance" ? instanceProviderMapping : providerMapping);

export const providerMappingOperations = [ofService, ofOneOrganization].flatMap(mappingOperations);
