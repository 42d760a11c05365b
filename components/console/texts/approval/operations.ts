// The operations on text changes that await approval.
import type { AnswerOf } from "../../../../shared/declared";
import * as operations from "../../../../shared/generated/operations";
import { byLevel } from "../operations";

export type TextDraftSummary = AnswerOf<"AdminService_ListTextDrafts">["result"][number];
export type TextDraft = AnswerOf<"AdminService_GetTextDraft">["draft"];

export const draftOperationsOn = byLevel({
  list: [operations.AdminService_ListTextDrafts, operations.ManagementService_ListTextDrafts],
  find: [operations.AdminService_GetTextDraft, operations.ManagementService_GetTextDraft],
  approve: [operations.AdminService_ApproveTextDraft, operations.ManagementService_ApproveTextDraft],
  reject: [operations.AdminService_RejectTextDraft, operations.ManagementService_RejectTextDraft],
  withdraw: [operations.AdminService_WithdrawTextDraft, operations.ManagementService_WithdrawTextDraft],
});

/** Returns the display name of a user. */
export const calledBy = ({ id, name }: { id: string; name?: string }): string => name ?? id;
