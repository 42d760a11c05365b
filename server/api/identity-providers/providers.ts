/**
 * Identity providers of the service and of organizations: adding and changing them by kind, listing, reading,
 * activating, deactivating and removing them. Organizations also read the service's, which they may offer.
 */
import { z } from "zod";
import type { Context } from "../../context";
import {
  addIdentityProvider,
  changeIdentityProvider,
  removeIdentityProvider,
  setIdentityProviderState,
} from "../../directory/identity-provider/edit";
import { identityProviderForms, USUAL_OPTIONS } from "../../directory/identity-provider/forms";
import {
  findReadableProvider,
  findStoredProvider,
  type IdentityProvider,
  listUsableProviders,
  noIdentityProvider,
} from "../../directory/identity-provider/identity-provider";
import { renewSamlKey } from "../../directory/identity-provider/saml-keys";
import { findInstance } from "../../directory/instance";
import type { ProviderOwner } from "../../directory/provider/channel";
import type { OriginContext } from "../../events/record";
import { CONNECTION_CHECKS, testConnection } from "../../login/providers/test-connection";
import { revokingProviderTokens } from "../../oidc/revoke-provider-tokens";
import { IDENTITY_PROVIDER_KINDS, type IdentityProviderKind, providerKinds } from "../../protocol/identity-provider";
import { detailsAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import {
  idAt,
  idOf,
  ofOneOrganization,
  ofService,
  type ProviderCall,
  type ProviderLevel,
  providersAnswer,
} from "../providers/provider-operations";
import { KIND_WORDS } from "./kind-words";
import { OWNER_TYPES, ownerTypeOf, shownProvider, shownProvider2, toShownProvider, toShownProvider2 } from "./shown";

/** Several pages of the documentation, as one would be too large. */
const tagOf = ({ level }: ProviderLevel, kind?: IdentityProviderKind) =>
  `${kind ? pageOf(kind) : "Identity providers"}${level === "instance" ? " of the service" : ""}`;

function pageOf(kind: IdentityProviderKind): string {
  if (kind === "ldap") return "LDAP directories";
  return kind === "saml" ? "SAML providers" : "OpenID Connect and OAuth providers";
}

const SHARED =
  "The provider is active at once, and used where a login policy offers it. Register `{BASE_URL}/idps/callback` " +
  "there. Without `providerOptions`, new users may create an account or connect theirs. The caller must hold all " +
  "permissions of the users whom it may sign in. Addresses must be on the public Internet and use https; a service " +
  "on a loopback address may call its own machine. The secret is never returned.";

const changeProvider = (
  ctx: OriginContext,
  owner: ProviderOwner,
  ref: { id: string; kind?: IdentityProviderKind },
  { body }: { body: unknown },
) => revokingProviderTokens(ctx, { providerId: ref.id }, () => changeIdentityProvider(ctx, owner, ref, body));

/** ZITADEL has the option of SAML providers for sign-outs beside their settings. */
const samlBody = identityProviderForms.saml
  .extend({
    federatedLogoutEnabled: z
      .boolean()
      .optional()
      .meta({ description: "The same as `isFederatedLogoutEnabled` in `providerOptions`, and comes before it" }),
  })
  .transform(({ federatedLogoutEnabled: isFederatedLogoutEnabled, ...settings }) => {
    if (isFederatedLogoutEnabled === undefined) return settings;
    return {
      ...settings,
      providerOptions: { ...(settings.providerOptions ?? USUAL_OPTIONS), isFederatedLogoutEnabled },
    };
  });

function kindOperations(at: ProviderLevel, kind: IdentityProviderKind): Operation[] {
  const { ids, noun, about } = KIND_WORDS[kind];
  const path = `${at.path}/idps/${providerKinds[kind].path}`;
  const body: z.ZodType = kind === "saml" ? samlBody : identityProviderForms[kind];
  const common = { tag: tagOf(at, kind), scope: at.scope("write"), body };
  return [
    operation(idAt(at, ids.add), `POST ${path}`, {
      ...common,
      summary: `Add ${noun} as identity provider of ${at.of}`,
      description: [about, SHARED].filter(Boolean).join(" "),
      answer: z.object({ id: z.string(), details }),
      handle: async (ctx, call) => addIdentityProvider(ctx, await at.owner(ctx, call), kind, call.body),
    }),
    operation(idAt(at, ids.update), `PUT ${path}/:id`, {
      ...common,
      summary: `Replace the settings of ${noun} as identity provider of ${at.of}`,
      description:
        "Without a secret, the saved one is kept if the server is unchanged; it is never sent to another one.",
      handle: async (ctx, call) =>
        detailsAnswer(await changeProvider(ctx, await at.owner(ctx, call), { id: idOf(call), kind }, call)),
    }),
  ];
}

const readable = async (ctx: Context, at: ProviderLevel, call: ProviderCall) =>
  findReadableProvider(ctx, (await at.owner(ctx, call)).ownerId, idOf(call));

const shownIn = async (ctx: Context) => ({
  instanceId: (await findInstance(ctx)).id,
  baseUrl: ctx.config.baseUrl,
});

const search = searchBody({
  idpIdQuery: z.object({ id: z.string().max(200) }),
  idpNameQuery: textQuery("name"),
  ownerTypeQuery: z.object({ ownerType: z.enum(OWNER_TYPES) }),
});
type Search = z.output<typeof search>;

function matches(provider: IdentityProvider, { queries = [] }: Search, instanceId: string): boolean {
  return queries.every(({ idpIdQuery, idpNameQuery, ownerTypeQuery }) => {
    if (idpIdQuery) return provider.id === idpIdQuery.id;
    if (ownerTypeQuery) return ownerTypeOf(provider, instanceId) === ownerTypeQuery.ownerType;
    if (!idpNameQuery) return true;
    const wanted = toTextMatch(idpNameQuery.name, idpNameQuery.method);
    const [has, text] = [provider.name, wanted.text].map((one) => (wanted.ignoreCase ? one.toLowerCase() : one));
    const [name = "", searched = ""] = [has, text];
    if (wanted.match === "starts") return name.startsWith(searched);
    if (wanted.match === "ends") return name.endsWith(searched);
    return wanted.match === "contains" ? name.includes(searched) : name === searched;
  });
}

function levelOperations(at: ProviderLevel): Operation[] {
  const { of, scope } = at;
  const path = `${at.path}/idps`;
  const tag = tagOf(at);
  const setState = (id: string, how: string, state: "active" | "inactive", summary: string, aliases?: string[]) =>
    operation(id, `POST ${path}/:id/_${how}`, {
      tag,
      aliases,
      summary,
      description: "Its links stay. An inactive provider is offered nowhere, and signs in no one.",
      scope: scope("write"),
      handle: async (ctx, call) =>
        detailsAnswer(await setIdentityProviderState(ctx, await at.owner(ctx, call), idOf(call), state)),
    });
  return [
    ...IDENTITY_PROVIDER_KINDS.flatMap((kind) => kindOperations(at, kind)),
    operation(idAt(at, ["UpdateInstanceProvider", "UpdateProvider"]), `PUT ${path}/:id`, {
      aliases: [`${path}/templates/:id`],
      tag,
      summary: `Replace the settings of an identity provider of ${of}, whatever its kind`,
      description: "The body is that of the provider's kind.",
      scope: scope("write"),
      body: z.looseObject({}),
      handle: async (ctx, call) =>
        detailsAnswer(await changeProvider(ctx, await at.owner(ctx, call), { id: idOf(call) }, call)),
    }),
    operation(idAt(at, ["ListInstanceProviders", "ListProviders"]), `POST ${path}/templates/_search`, {
      aliases: [`${path}/_search`],
      tag,
      summary: `List the identity providers of ${of}, the oldest first`,
      description: at.level === "organization" ? "The service's follow, which the organization may offer." : undefined,
      scope: scope("read"),
      body: search,
      bodyIsOptional: true,
      answer: providersAnswer(shownProvider),
      async handle(ctx, call) {
        const shown = await shownIn(ctx);
        const all = await listUsableProviders(ctx, at.level === "instance" ? undefined : call.organizationId);
        const found = all.filter((provider) => matches(provider, call.body, shown.instanceId));
        const { offset = 0, limit = found.length } = call.body.query ?? {};
        return {
          details: { totalResult: String(found.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
          result: found.slice(offset, offset + (limit || found.length)).map((one) => toShownProvider(one, shown)),
        };
      },
    }),
    operation(idAt(at, ["GetInstanceProviderByID", "GetProviderByID"]), `GET ${path}/templates/:id`, {
      aliases: [`${path}/:id`],
      tag,
      summary: `Read an identity provider of ${of}`,
      scope: scope("read"),
      answer: z.object({ idp: shownProvider }),
      async handle(ctx, call) {
        const provider = await readable(ctx, at, call);
        return provider ? { idp: toShownProvider(provider, await shownIn(ctx)) } : noIdentityProvider();
      },
    }),
    operation(
      idAt(at, ["RegenerateInstanceSAMLProviderCertificate", "RegenerateSAMLProviderCertificate"]),
      `POST ${path}/saml/:id/_generate_certificate`,
      {
        tag,
        summary: `Make a new key and certificate for a SAML provider of ${of}`,
        description:
          "The certificate is in the metadata of this service at once, and signs requests two days later. With " +
          "`immediately` it signs at once, and the older keys are forgotten, because they may have leaked.",
        scope: scope("write"),
        body: z.object({ immediately: z.boolean().optional() }),
        bodyIsOptional: true,
        async handle(ctx, call) {
          const key = { id: idOf(call), isImmediate: call.body.immediately === true };
          return detailsAnswer(await renewSamlKey(ctx, await at.owner(ctx, call), key));
        },
      },
    ),
    setState(
      idAt(at, ["ActivateInstanceProvider", "ActivateProvider"]),
      "activate",
      "active",
      `Activate an identity provider of ${of}`,
      [`${path}/:id/_reactivate`],
    ),
    setState(
      idAt(at, ["DeactivateInstanceProvider", "DeactivateProvider"]),
      "deactivate",
      "inactive",
      `Deactivate an identity provider of ${of}`,
    ),
    operation(idAt(at, ["TestInstanceProvider", "TestProvider"]), `POST ${path}/:id/_test`, {
      tag,
      summary: `Test the connection to an identity provider of ${of}`,
      description:
        "Reads its document and its keys, and redeems a code that it never issued: a provider that accepts the client " +
        "refuses only the code. Stops at the first check that fails. `passed` is left out where the answer doesn't tell.",
      effort: "call",
      scope: scope("write"),
      answer: z.object({
        checks: z.array(
          z.object({ check: z.enum(CONNECTION_CHECKS), passed: z.boolean().optional(), detail: z.string() }),
        ),
      }),
      async handle(ctx, call) {
        const provider = await findStoredProvider(ctx, idOf(call));
        const { ownerId } = await at.owner(ctx, call);
        if (provider?.ownerId !== ownerId) return noIdentityProvider();
        const checks = await testConnection(ctx, provider);
        return { checks: checks.map(({ check, isPassed, detail }) => ({ check, passed: isPassed, detail })) };
      },
    }),
    operation(idAt(at, ["DeleteInstanceProvider", "DeleteProvider"]), `DELETE ${path}/templates/:id`, {
      aliases: [`${path}/:id`],
      tag,
      summary: `Remove an identity provider of ${of} with its secret and all links to it`,
      scope: scope("delete"),
      async handle(ctx, call) {
        const [owner, providerId] = [await at.owner(ctx, call), idOf(call)];
        const remove = () => removeIdentityProvider(ctx, owner, providerId);
        return detailsAnswer(await revokingProviderTokens(ctx, { providerId }, remove));
      },
    }),
  ];
}

export const identityProviderOperations: readonly Operation[] = [
  ...levelOperations(ofService),
  ...levelOperations(ofOneOrganization),
  operation("GetIDPByID", "GET /v2/idps/:id", {
    tag: tagOf(ofOneOrganization),
    summary: "Read an identity provider of the service or of the organization",
    scope: { level: "organization", permission: "policy.read" },
    answer: z.object({ idp: shownProvider2 }),
    async handle(ctx, call) {
      const provider = await readable(ctx, ofOneOrganization, call);
      return provider ? { idp: toShownProvider2(provider) } : noIdentityProvider();
    },
  }),
];
