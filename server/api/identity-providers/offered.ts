/** The identity providers that a login policy offers on the sign-in pages. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import {
  type IdentityProvider,
  listOfferedProviders,
  listUsableProviders,
} from "../../directory/identity-provider/identity-provider";
import { offerProvider, withdrawProvider } from "../../directory/identity-provider/offered";
import { readShownPolicy } from "../../directory/policy/read";
import { providerKinds } from "../../protocol/identity-provider";
import { detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { settingsOwner } from "../policies/settings-schemas";
import { ofOneOrganization, ofService, type ProviderLevel, providersAnswer } from "../providers/provider-operations";
import { noBody } from "../users/user-ref";
import { OWNER_TYPES, providerType, shownOptions, typeOf } from "./shown";

const TYPES = Object.values(providerKinds).map(({ type }) => `IDENTITY_PROVIDER_TYPE_${type}` as const);
const idpId = z.string().max(200);
const shownOffer = z
  .object({ idpId: z.string(), idpName: z.string(), idpType: providerType })
  .meta({ id: "OfferedIdp" });
const wanted = z.enum(["true", "false"]).optional();
/** Lists only providers with these options. */
const OPTIONS = { creationAllowed: wanted, linkingAllowed: wanted, autoCreation: wanted, autoLinking: wanted };

function hasOptions({ options }: IdentityProvider, asked: Readonly<Record<string, string | undefined>>): boolean {
  const has: Record<keyof typeof OPTIONS, boolean> = {
    creationAllowed: options.isCreationAllowed,
    linkingAllowed: options.isLinkingAllowed,
    autoCreation: options.isAutoCreation,
    autoLinking: options.autoLinking !== "AUTO_LINKING_OPTION_UNSPECIFIED",
  };
  return Object.entries(has).every(([name, is]) => asked[name] === undefined || asked[name] === String(is));
}

const RULE =
  "An organization that has chosen none offers the instance's. One that offers any provider itself offers the " +
  "instance's only where they are added to its own list too.";

interface OfferIds {
  list: string;
  add: string;
  remove: string;
}

const offerOperations = (at: ProviderLevel, { list, add, remove }: OfferIds): Operation[] => {
  const path = `${at.path}/policies/login/idps`;
  const where = at.level === "instance" ? "on the instance" : "in an organization";
  const tag = "Identity providers on sign-in pages";
  return [
    operation(list, `POST ${path}/_search`, {
      tag,
      summary: `List the identity providers on sign-in pages, ${where}`,
      description: `In the order of their buttons. ${RULE}`,
      scope: at.scope("read"),
      ...noBody,
      answer: providersAnswer(shownOffer),
      async handle(ctx, { organizationId }) {
        const of = at.level === "instance" ? undefined : organizationId;
        const { settings } = await readShownPolicy(ctx, "identityProviders", of);
        const usable = await listUsableProviders(ctx, of);
        const result = settings.offered.flatMap((id) => usable.find((one) => one.id === id) ?? []);
        return {
          details: { totalResult: String(result.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
          result: result.map((one) => ({ idpId: one.id, idpName: one.name, idpType: typeOf(one) })),
        };
      },
    }),
    operation(add, `POST ${path}`, {
      tag,
      summary: `Offer an identity provider on sign-in pages, ${where}`,
      description: RULE,
      scope: at.scope("write"),
      body: strict({ idpId, ownerType: z.enum(OWNER_TYPES).optional() }),
      handle: async (ctx, call) => detailsAnswer(await offerProvider(ctx, await at.owner(ctx, call), call.body.idpId)),
    }),
    operation(remove, `DELETE ${path}/:idpId`, {
      tag,
      summary: `Withdraw an identity provider from sign-in pages, ${where}`,
      description: "Its links stay: users can sign in by it again once it is offered again.",
      scope: at.scope("write"),
      handle: async (ctx, call) =>
        detailsAnswer(await withdrawProvider(ctx, await at.owner(ctx, call), call.parameters.idpId ?? "")),
    }),
  ];
};

export const offeredProviderOperations: readonly Operation[] = [
  ...offerOperations(ofService, {
    list: "ListLoginPolicyIDPs",
    add: "AddIDPToLoginPolicy",
    remove: "RemoveIDPFromLoginPolicy",
  }),
  ...offerOperations(ofOneOrganization, {
    list: "ListOwnLoginPolicyIDPs",
    add: "AddOwnIDPToLoginPolicy",
    remove: "RemoveOwnIDPFromLoginPolicy",
  }),
  operation("GetActiveIdentityProviders", "GET /v2/settings/login/idps", {
    tag: "Settings",
    summary: "List the identity providers that users can sign in with",
    scope: { level: "organization", permission: "policy.read" },
    organizationQuery: "ctx.orgId",
    query: settingsOwner.extend(OPTIONS),
    answer: z.object({
      details: z.object({ totalResult: z.string(), timestamp }),
      identityProviders: z.array(
        z.object({ id: z.string(), name: z.string(), type: z.enum(TYPES), options: shownOptions }),
      ),
    }),
    async handle(ctx, { organizationId, query }) {
      const of = query["ctx.instance"] === "true" ? undefined : organizationId;
      const offered = (await listOfferedProviders(ctx, of)).filter((one) => hasOptions(one, query));
      return {
        details: { totalResult: String(offered.length), timestamp: new Date(ctx.clock()).toISOString() },
        identityProviders: offered.map(({ id, name, kind, options }) => {
          return { id, name, type: `IDENTITY_PROVIDER_TYPE_${providerKinds[kind].type}` as const, options };
        }),
      };
    },
  }),
];
