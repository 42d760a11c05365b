/** The mapping of an organization's identity providers: set, and tried with a sample of what a provider answers. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import { findReadableProvider, noIdentityProvider } from "../../directory/identity-provider/identity-provider";
import { providerMapping, setProviderMapping } from "../../directory/identity-provider/mapping";
import { tryMapping } from "../../login/providers/try-mapping";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { idOf, ofOneOrganization } from "../providers/provider-operations";

const tag = "Identity providers";
const PATH = "/management/v1/idps/:id";

export const providerMappingOperations: readonly Operation[] = [
  operation("SetProviderMapping", `PUT ${PATH}/mapping`, {
    tag,
    summary: "Map claims of an organization's identity provider to names and roles of projects",
    description:
      "Replaces the mapping. While `isAutoUpdate` is on, it is applied at each sign-in by the provider: users get the " +
      "roles of all rules that apply, and lose those that the mapping gave before and no rule gives now. Roles given " +
      "otherwise stay. Rules that give roles take the permission `user.grant.write` in the organization, also to " +
      "change the provider later.",
    scope: ofOneOrganization.scope("write"),
    body: providerMapping,
    handle: async (ctx, call) =>
      detailsAnswer(await setProviderMapping(ctx, call.organizationId, idOf(call), call.body, call.origin)),
  }),
  operation("TestProviderMapping", `POST ${PATH}/_test_mapping`, {
    tag,
    summary: "Try the mapping of an identity provider with a sample of its claims",
    description: "Changes nothing. `mapping` is tried instead of the saved one.",
    scope: ofOneOrganization.scope("read"),
    body: strict({
      claims: z
        .record(z.string().max(200), z.unknown())
        .meta({ description: "The claims of an id_token or of the user endpoint" }),
      mapping: providerMapping.optional(),
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
      const provider = await findReadableProvider(ctx, call.organizationId, idOf(call));
      return provider?.ownerId === call.organizationId ? tryMapping(provider, call.body) : noIdentityProvider();
    },
  }),
];
