// The operations on text changes that await approval.
import type { AnswerOf } from "../../../../shared/declared";
import {
  AdminService_ApproveTextDraft,
  AdminService_GetTextDraft,
  AdminService_ListTextDrafts,
  AdminService_RejectTextDraft,
  AdminService_WithdrawTextDraft,
  ManagementService_ApproveTextDraft,
  ManagementService_GetTextDraft,
  ManagementService_ListTextDrafts,
  ManagementService_RejectTextDraft,
  ManagementService_WithdrawTextDraft,
} from "../../../../shared/generated/operations";
import type { TextScope } from "../address";

export type TextDraftSummary = AnswerOf<"AdminService_ListTextDrafts">["result"][number];
export type TextDraft = AnswerOf<"AdminService_GetTextDraft">["draft"];

const INSTANCE = {
  list: AdminService_ListTextDrafts,
  find: AdminService_GetTextDraft,
  approve: AdminService_ApproveTextDraft,
  reject: AdminService_RejectTextDraft,
  withdraw: AdminService_WithdrawTextDraft,
};

const ORGANIZATION = {
  list: ManagementService_ListTextDrafts,
  find: ManagementService_GetTextDraft,
  approve: ManagementService_ApproveTextDraft,
  reject: ManagementService_RejectTextDraft,
  withdraw: ManagementService_WithdrawTextDraft,
};

export const draftOperationsOn = ({ organizationId }: TextScope): typeof INSTANCE | typeof ORGANIZATION =>
  organizationId === undefined ? INSTANCE : ORGANIZATION;

/** Returns the display name of a user. */
export const calledBy = ({ id, name }: { id: string; name?: string }): string => name ?? id;
