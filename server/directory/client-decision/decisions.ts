/** What an organization decided about apps for its own users (protocol/client-decision): reading and storing it. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { type ChangeContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, fieldProblem, invalidArgument, notFound } from "../../protocol/api-error";
import { ANY_HOST, type ClientDecision } from "../../protocol/client-decision";
import { MAX_LENGTHS } from "../../protocol/lengths";
import { type Reason, reason } from "../../protocol/reason";
import {
  type ClientDecisionRow,
  clientDecisionList,
  clientDecisionsOf,
  deleteClientDecision,
  findClientDecisions,
  insertClientDecision,
  readClientDecisions,
  updateClientDecision,
} from "../../storage/app/client-decisions";
import { listAppNames } from "../../storage/grant/connected-apps";
import { createCache } from "../cache";
import { hostPattern } from "../fields";
import { type PagedList, pagedList } from "../listing";

/** How many decisions an organization has at most: each sign-in compares them. */
const MAX_DECISIONS = 1_000;

const cached = createCache<readonly ClientDecision[]>("clientDecisions", (organizationId) => [organizationId]);

/** Returns the decisions of an organization; the result can be up to five seconds old. */
export async function findDecisions(ctx: Context, organizationId: string): Promise<readonly ClientDecision[]> {
  const load = () => findClientDecisions(ctx.db, organizationId);
  return (await cached.get(ctx, organizationId, load)) ?? [];
}

export interface ListedDecision extends ClientDecisionRow {
  /** The name of the app with this client id, if there is one. */
  appName: string | undefined;
}

/** Returns the decisions of an organization, newest first. */
export function listDecisions(
  ctx: Context,
  organizationId: string,
  matches: readonly Partial<Pick<ClientDecision, "kind" | "decision">>[],
): PagedList<ListedDecision> {
  const list = pagedList(ctx, clientDecisionsOf(organizationId, matches), clientDecisionList);
  return {
    ...list,
    async page(reading) {
      const page = await list.page(reading);
      const clientIds = page.rows.flatMap(({ kind, value }) => (kind === "client" ? [value] : []));
      const names = new Map(await listAppNames(ctx.db, clientIds));
      return { ...page, rows: page.rows.map((row) => ({ ...row, appName: names.get(row.value) })) };
    },
  };
}

/** Returns the decision with its value in the form in which it is compared, or why it cannot be made. */
export function checkDecision({ kind, value, decision }: ClientDecision): ClientDecision | ApiError {
  const refuse = (why: Reason) => {
    const { id, message, ...details } = fieldProblem("client_decision.invalid", "value", why);
    return invalidArgument(id, message, details);
  };
  if (kind === "client") {
    const isClientId = /^[\x20-\x7e]+$/.test(value) && value.length <= MAX_LENGTHS.client_id;
    return isClientId ? { kind, value, decision } : refuse(reason("client_id", { n: MAX_LENGTHS.client_id }));
  }
  // Otherwise no user would be asked about any app.
  if (value === ANY_HOST) return decision === "forbid" ? { kind, value, decision } : refuse(reason("any_host"));
  const host = hostPattern.safeParse(value);
  return host.success ? { kind, value: host.data, decision } : refuse(reason("domain"));
}

/**
 * Stores a decision that was checked; one about the same client or host is replaced.
 * @returns its id, and whether anything changed
 */
export async function storeDecision(
  ctx: ChangeContext,
  organizationId: string,
  wanted: ClientDecision,
): Promise<{ id: string; change: "made" | "changed" | undefined } | ApiError> {
  const { kind, value, decision } = wanted;
  const all = await readClientDecisions(ctx.tx, organizationId);
  const stored = all.find((one) => one.kind === kind && one.value === value);
  if (stored?.decision === decision) return { id: stored.id, change: undefined };
  if (!stored && all.length >= MAX_DECISIONS) {
    const message = `An organization has ${MAX_DECISIONS} decisions about apps at most: delete one.`;
    return failedPrecondition("client_decision.too_many", message);
  }
  const id = stored?.id ?? newId();
  await recordIn(ctx, {
    type: "organization.client_decision.set",
    object: { id: organizationId, organizationId },
    async state(_, now) {
      if (stored) await updateClientDecision(ctx.tx, id, { decision, changedAt: now });
      else await insertClientDecision(ctx.tx, { id, organizationId, ...wanted, createdAt: now, changedAt: now });
      return { payload: { kind, value, decision } };
    },
  });
  return { id, change: stored ? "changed" : "made" };
}

/** Deletes a decision of the organization, so that nothing is decided about the app. */
export async function deleteDecision(
  ctx: ChangeContext,
  organizationId: string,
  id: string,
): Promise<undefined | ApiError> {
  const stored = (await readClientDecisions(ctx.tx, organizationId)).find((one) => one.id === id);
  if (!stored) return notFound("client_decision.not_found", "This decision does not exist, or it was deleted.");
  await recordIn(ctx, {
    type: "organization.client_decision.removed",
    object: { id: organizationId, organizationId },
    async state() {
      await deleteClientDecision(ctx.tx, id);
      return { payload: { kind: stored.kind, value: stored.value, decision: stored.decision } };
    },
  });
  return undefined;
}
