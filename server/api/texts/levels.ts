/**
 * The two levels of message texts: their addresses, the permissions they need, and the text that a call means.
 * Operations that save a text take `propose`: for callers without `write`, it becomes a draft (texts/drafts/power.ts).
 */
import type { Context } from "../../context";
import { supportedLanguage } from "../../directory/policy/languages";
import type { MessageType } from "../../message-types/table";
import { isApiError } from "../../protocol/api-error";
import type { TextTarget } from "../../texts/text-owner";
import type { OperationCall, PathParameters } from "../operation/operation";

export const TEXT_LEVELS = [
  {
    level: "instance",
    base: "/admin/v1",
    service: "AdminService",
    owner: "the instance",
    permissions: {
      read: "iam.policy.read",
      propose: "iam.policy.write",
      write: "iam.policy.write",
      delete: "iam.policy.delete",
    },
  },
  {
    level: "organization",
    base: "/management/v1",
    service: "ManagementService",
    owner: "the organization",
    permissions: { read: "text.read", propose: "text.propose", write: "text.write", delete: "text.delete" },
  },
] as const;

export type TextLevel = (typeof TEXT_LEVELS)[number];
type Level = TextLevel["level"];
type Called = Pick<OperationCall<unknown, unknown>, "organizationId" | "parameters">;

/** Undefined for the instance's texts. */
export const organizationAt = (level: Level, { organizationId }: Called): string | undefined =>
  level === "instance" ? undefined : organizationId;

/** The text that a call means. */
export const targetOf = (level: Level, type: MessageType, call: Called): TextTarget => ({
  organizationId: organizationAt(level, call),
  type,
  language: call.parameters.language ?? "",
});

/** The language in the address is one that texts are written in; others are refused by their name, not as unknown. */
export async function checkLanguage(ctx: Context, { language = "" }: PathParameters) {
  const found = await supportedLanguage(ctx, language);
  return isApiError(found) ? found : undefined;
}
