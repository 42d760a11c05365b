// The operations on the texts of a level.
import * as operations from "../../../shared/generated/operations";
import type { TextScope } from "./address";

/** Pairs of operations: on the texts of the instance, and of an organization. */
type Pairs = Readonly<Record<string, readonly [instance: unknown, organization: unknown]>>;

/** Returns a function that gives the operations of a level. */
export function byLevel<const Operations extends Pairs>(pairs: Operations) {
  const [instance, organization] = [0, 1].map((index) =>
    Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[index]])),
  );
  return ({ organizationId }: TextScope) =>
    (organizationId === undefined ? instance : organization) as {
      [Name in keyof Operations]: Operations[Name][number];
    };
}

export const operationsOn = byLevel({
  list: [operations.AdminService_ListMessageTexts, operations.ManagementService_ListMessageTexts],
  exportAll: [operations.AdminService_ExportMessageTexts, operations.ManagementService_ExportMessageTexts],
  variables: [operations.AdminService_ListMessageTextVariables, operations.ManagementService_ListMessageTextVariables],
  explain: [operations.AdminService_ExplainMessageText, operations.ManagementService_ExplainMessageText],
  preview: [operations.AdminService_PreviewMessageText, operations.ManagementService_PreviewMessageText],
  sendTrial: [operations.AdminService_SendMessageTextTrial, operations.ManagementService_SendMessageTextTrial],
  sendTrials: [operations.AdminService_SendMessageTextTrials, operations.ManagementService_SendMessageTextTrials],
  findTrial: [operations.AdminService_GetMessageTextTrial, operations.ManagementService_GetMessageTextTrial],
  set: [operations.AdminService_SetMessageText, operations.ManagementService_SetMessageText],
  reset: [operations.AdminService_ResetMessageText, operations.ManagementService_ResetMessageText],
  keep: [operations.AdminService_KeepMessageText, operations.ManagementService_KeepMessageText],
  history: [operations.AdminService_ListMessageTextChanges, operations.ManagementService_ListMessageTextChanges],
});
