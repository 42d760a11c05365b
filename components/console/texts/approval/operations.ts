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
import { byLevel } from "../operations";

export type TextDraftSummary = AnswerOf<"AdminService_ListTextDrafts">["result"][number];
export type TextDraft = AnswerOf<"AdminService_GetTextDraft">["draft"];

export const draftOperationsOn = byLevel({
  list: [AdminService_ListTextDrafts, ManagementService_ListTextDrafts],
  find: [AdminService_GetTextDraft, ManagementService_GetTextDraft],
  approve: [AdminService_ApproveTextDraft, ManagementService_ApproveTextDraft],
  reject: [AdminService_RejectTextDraft, ManagementService_RejectTextDraft],
  withdraw: [AdminService_WithdrawTextDraft, ManagementService_WithdrawTextDraft],
});

/** Returns the display name of a user. */
export const calledBy = ({ id, name }: { id: string; name?: string }): string => name ?? id;
