/** The accounts at identity providers by which a user signs in, as administrators and the users themselves see them. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import {
  addIdentityLink,
  listIdentityLinksOf,
  removeIdentityLink,
  removeOwnIdentityLink,
} from "../../directory/identity-provider/links";
import { revokingProviderTokens } from "../../oidc/revoke-provider-tokens";
import { type IdentityProviderKind, providerKinds } from "../../protocol/identity-provider";
import { answered, detailsAnswer } from "../operation/answers";
import { pageInMemory, searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { type ListQuery, listOf, timestamp } from "../operation/schemas";
import { idpLink } from "../users/named-fields";
import { OWN, OWN_PATH, OWN_RECENT } from "../users/own";
import { ownedBy, userRefOf } from "../users/user-ref";
import { providerType } from "./shown";

const tag = "User credentials";
const PATH = "/v2/users/:userId/links";
const PATH_V1 = "/management/v1/users/:userId/idps";
const READ_V1 = { level: "organization", permission: "user.read" } as const;
const WRITE_V1 = { level: "organization", permission: "user.write", target: "user" } as const;

const shownLink = z
  .object({ idpId: z.string(), idpName: z.string(), userId: z.string(), userName: z.string(), creationDate: timestamp })
  .meta({ id: "IdpLink" });
const ownedLink = z
  .object({
    userId: z.string(),
    idpId: z.string(),
    idpName: z.string(),
    idpType: providerType,
    providedUserId: z.string(),
    providedUserName: z.string(),
  })
  .meta({ id: "LinkedIdp" });

const listAnswer = z.object({ details: z.object({ totalResult: z.string(), timestamp }), result: z.array(shownLink) });
const earlierList = {
  body: searchBody({}),
  bodyIsOptional: true,
  answer: listOf(ownedLink),
} as const;

export const identityLinkOperations: readonly Operation[] = [
  operation("GetIDPLinks", `GET ${PATH}`, {
    tag,
    scope: ownedBy("user.read"),
    summary: "List the accounts at identity providers by which a user signs in, the oldest first",
    answer: listAnswer,
    also: {
      ListIDPLinks: {
        at: `POST ${PATH}/_search`,
        summary: "Search the accounts at identity providers by which a user signs in, the oldest first",
        body: searchBody({}).omit({ queries: true }),
        bodyIsOptional: true,
      },
    },
    handle: (ctx, call) =>
      answered(listIdentityLinksOf(ctx, userRefOf(call)), (rows) => ({
        details: { totalResult: String(rows.length), timestamp: new Date(ctx.clock()).toISOString() },
        result: pageInMemory(rows, (call.body as { query?: ListQuery } | undefined)?.query).map(
          ({ providerId, providerName, externalId, userName, createdAt }) => {
            const creationDate = new Date(createdAt).toISOString();
            return { idpId: providerId, idpName: providerName, userId: externalId, userName, creationDate };
          },
        ),
      })),
  }),
  operation("ListHumanLinkedIDPs", `POST ${PATH_V1}/_search`, {
    tag,
    scope: READ_V1,
    summary: "List the accounts at identity providers by which a user signs in, the oldest first",
    ...earlierList,
    also: {
      ListMyLinkedIDPs: {
        at: `POST ${OWN_PATH}/idps/_search`,
        ...OWN,
        summary: "List the accounts at identity providers by which the caller signs in",
      },
    },
    handle: (ctx, call) =>
      answered(listIdentityLinksOf(ctx, userRefOf(call)), (rows) => ({
        details: { totalResult: String(rows.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
        result: pageInMemory(rows, call.body.query).map(
          ({ userId, providerId, providerName, kind, externalId, userName }) => {
            const { type } = providerKinds[kind as IdentityProviderKind] ?? providerKinds.oidc;
            const idpType = `PROVIDER_TYPE_${type}` as const;
            const provided = { providedUserId: externalId, providedUserName: userName };
            return { userId, idpId: providerId, idpName: providerName, idpType, ...provided };
          },
        ),
      })),
  }),
  operation("AddIDPLink", `POST ${PATH}`, {
    tag,
    scope: ownedBy("user.write"),
    summary: "Let a user sign in by an account at an identity provider",
    description:
      "The provider is one of the service or of the user's organization. The user is notified, as of a second factor. " +
      "An account at a provider is linked to one user at most.",
    body: strict({ idpLink }),
    async handle(ctx, call) {
      const { idpId: providerId, userId: externalId, userName } = call.body.idpLink;
      const link = { providerId, externalId, userName };
      return detailsAnswer(await addIdentityLink(ctx, userRefOf(call), link));
    },
  }),
  operation("RemoveIDPLink", `DELETE ${PATH}/:idpId/:linkedUserId`, {
    tag,
    scope: ownedBy("user.write"),
    summary: "Remove the link of a user to an account at an identity provider",
    description: "The user stays signed in, and can't sign in by that account any more.",
    also: {
      RemoveHumanLinkedIDP: { at: `DELETE ${PATH_V1}/:idpId/:linkedUserId`, scope: WRITE_V1 },
      RemoveMyLinkedIDP: {
        at: `DELETE ${OWN_PATH}/idps/:idpId/:linkedUserId`,
        ...OWN_RECENT,
        summary: "Remove a link of the caller to an account at an identity provider",
        description: `The last way to sign in can't be removed. ${OWN_RECENT.description}`,
      },
    },
    async handle(ctx, call) {
      const { idpId: providerId = "", linkedUserId: externalId = "" } = call.parameters;
      const remove = call.level === "caller" ? removeOwnIdentityLink : removeIdentityLink;
      const link = { providerId, externalId };
      return detailsAnswer(await revokingProviderTokens(ctx, link, () => remove(ctx, userRefOf(call), link)));
    },
  }),
];
