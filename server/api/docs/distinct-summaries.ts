/** Makes the summaries of operations in one area distinct, by what differs in their addresses. */
import type { ShownOperation } from "../../../components/docs/model";

type Told = Pick<ShownOperation, "method" | "path" | "summary">;

/** Returns the operations; a summary that occurs several times gets a distinguishing suffix. */
export function withDistinctSummaries<Operation extends Told>(operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => {
    const alike = operations.filter(({ summary }) => summary === operation.summary);
    if (alike.length === 1) return operation;
    const way = WAYS.find((words) => new Set(alike.map((one) => words(one, alike))).size === alike.length) ?? byAddress;
    return { ...operation, summary: `${operation.summary} (${way(operation, alike)})` };
  });
}

const isOfVersion2 = ({ path }: Told): boolean => /^\/v2/.test(path);

function byLevel(one: Told, alike: readonly Told[]): string {
  if (alike.some(isOfVersion2)) return isOfVersion2(one) ? "version 2" : "version 1";
  return one.path.startsWith("/admin/") ? "service" : "organization";
}

const byAddress = ({ method, path }: Told): string => `${method} ${path}`;
const WAYS = [byLevel, ({ method }: Told) => method, ({ path }: Told) => path];
