/** The decisions of an organization about apps for its own users. */
import { z } from "zod";
import { type ListedDecision, listDecisions } from "../../directory/client-decision/decisions";
import {
  DECISION_KINDS,
  DECISION_OF,
  DECISIONS,
  declaredDecision,
  KIND_OF_DECISION,
  readDecision,
} from "../../directory/client-decision/names";
import { strict } from "../../directory/fields";
import { decideAboutClient, withdrawDecision } from "../../oidc/client-decisions";
import { isApiError } from "../../protocol/api-error";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";

const clientDecision = z
  .object({
    id: z.string(),
    kind: z.enum(DECISION_KINDS),
    value: z.string(),
    decision: z.enum(DECISIONS),
    appName: z.string().optional().meta({ description: "The name of the app with this client ID" }),
    creationDate: timestamp,
    changeDate: timestamp,
  })
  .meta({ id: "ClientDecision" });

function toClientDecision(row: ListedDecision): z.input<typeof clientDecision> {
  return {
    ...{ id: row.id, kind: DECISION_KINDS[row.kind], value: row.value, decision: DECISIONS[row.decision] },
    ...(row.appName !== undefined && { appName: row.appName }),
    creationDate: new Date(row.createdAt).toISOString(),
    changeDate: new Date(row.changedAt).toISOString(),
  };
}

const tag = "App approvals";
const PATH = "/management/v1/client_decisions";
const at = (permission: "policy.read" | "policy.write" | "policy.delete") =>
  ({ tag, scope: { level: "organization", permission } }) as const;

export const clientDecisionOperations = [
  operation("SetClientDecision", `POST ${PATH}`, {
    ...at("policy.write"),
    summary: "Allow or block an app, or the apps of a host, for the users of an organization",
    description:
      "Users are not asked before an allowed app gets access, unless it requests the management APIs. A blocked app gets no tokens, and its access to users of the organization ends at once. " +
      "A decision about a client ID takes precedence over those about hosts, and the longest match of a host over the others. Hosts are those of metadata documents, or else of redirect URIs, and only of apps that belong to no one or to other organizations. " +
      "To admit chosen apps only, block `*`. A decision about the same value is replaced.",
    body: declaredDecision,
    answer: z.object({ id: z.string(), details }),
    async handle(ctx, { body, organizationId }) {
      const id = await decideAboutClient(ctx, organizationId, readDecision(body));
      return isApiError(id) ? id : { id, ...(await changedAnswer(ctx, "organization", organizationId)) };
    },
  }),
  operation("ListClientDecisions", `POST ${PATH}/_search`, {
    ...at("policy.read"),
    summary: "Search what an organization decided about apps, newest first",
    body: searchBody({
      kindQuery: strict({ kind: z.enum(DECISION_KINDS) }),
      decisionQuery: strict({ decision: z.enum(DECISIONS) }),
    }),
    bodyIsOptional: true,
    answer: listOf(clientDecision),
    handle(ctx, { body: { query, queries = [] }, organizationId }) {
      const wanted = queries.map(({ kindQuery, decisionQuery }) => ({
        ...(kindQuery && { kind: KIND_OF_DECISION[kindQuery.kind] }),
        ...(decisionQuery && { decision: DECISION_OF[decisionQuery.decision] }),
      }));
      return pagedAnswer(ctx, query, listDecisions(ctx, organizationId, wanted), toClientDecision);
    },
  }),
  operation("RemoveClientDecision", `DELETE ${PATH}/:decisionId`, {
    ...at("policy.delete"),
    summary: "Delete a decision about an app",
    description: "Users are asked about the app as before. Access that the decision ended does not come back.",
    handle: (ctx, { parameters, organizationId }) =>
      answered(withdrawDecision(ctx, organizationId, parameters.decisionId ?? ""), () =>
        changedAnswer(ctx, "organization", organizationId),
      ),
  }),
];
