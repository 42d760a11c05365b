// The operations on the texts of a level.
import {
  AdminService_ExplainMessageText,
  AdminService_ExportMessageTexts,
  AdminService_GetMessageTextTrial,
  AdminService_KeepMessageText,
  AdminService_ListMessageTextChanges,
  AdminService_ListMessageTexts,
  AdminService_ListMessageTextVariables,
  AdminService_PreviewMessageText,
  AdminService_ResetMessageText,
  AdminService_SendMessageTextTrial,
  AdminService_SendMessageTextTrials,
  AdminService_SetMessageText,
  ManagementService_ExplainMessageText,
  ManagementService_ExportMessageTexts,
  ManagementService_GetMessageTextTrial,
  ManagementService_KeepMessageText,
  ManagementService_ListMessageTextChanges,
  ManagementService_ListMessageTexts,
  ManagementService_ListMessageTextVariables,
  ManagementService_PreviewMessageText,
  ManagementService_ResetMessageText,
  ManagementService_SendMessageTextTrial,
  ManagementService_SendMessageTextTrials,
  ManagementService_SetMessageText,
} from "../../../shared/generated/operations";
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
  list: [AdminService_ListMessageTexts, ManagementService_ListMessageTexts],
  exportAll: [AdminService_ExportMessageTexts, ManagementService_ExportMessageTexts],
  variables: [AdminService_ListMessageTextVariables, ManagementService_ListMessageTextVariables],
  explain: [AdminService_ExplainMessageText, ManagementService_ExplainMessageText],
  preview: [AdminService_PreviewMessageText, ManagementService_PreviewMessageText],
  sendTrial: [AdminService_SendMessageTextTrial, ManagementService_SendMessageTextTrial],
  sendTrials: [AdminService_SendMessageTextTrials, ManagementService_SendMessageTextTrials],
  findTrial: [AdminService_GetMessageTextTrial, ManagementService_GetMessageTextTrial],
  set: [AdminService_SetMessageText, ManagementService_SetMessageText],
  reset: [AdminService_ResetMessageText, ManagementService_ResetMessageText],
  keep: [AdminService_KeepMessageText, ManagementService_KeepMessageText],
  history: [AdminService_ListMessageTextChanges, ManagementService_ListMessageTextChanges],
});
