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

const INSTANCE = {
  list: AdminService_ListMessageTexts,
  exportAll: AdminService_ExportMessageTexts,
  variables: AdminService_ListMessageTextVariables,
  explain: AdminService_ExplainMessageText,
  preview: AdminService_PreviewMessageText,
  sendTrial: AdminService_SendMessageTextTrial,
  sendTrials: AdminService_SendMessageTextTrials,
  findTrial: AdminService_GetMessageTextTrial,
  set: AdminService_SetMessageText,
  reset: AdminService_ResetMessageText,
  keep: AdminService_KeepMessageText,
  history: AdminService_ListMessageTextChanges,
};

const ORGANIZATION = {
  list: ManagementService_ListMessageTexts,
  exportAll: ManagementService_ExportMessageTexts,
  variables: ManagementService_ListMessageTextVariables,
  explain: ManagementService_ExplainMessageText,
  preview: ManagementService_PreviewMessageText,
  sendTrial: ManagementService_SendMessageTextTrial,
  sendTrials: ManagementService_SendMessageTextTrials,
  findTrial: ManagementService_GetMessageTextTrial,
  set: ManagementService_SetMessageText,
  reset: ManagementService_ResetMessageText,
  keep: ManagementService_KeepMessageText,
  history: ManagementService_ListMessageTextChanges,
};

export const operationsOn = ({ organizationId }: TextScope): typeof INSTANCE | typeof ORGANIZATION =>
  organizationId === undefined ? INSTANCE : ORGANIZATION;
