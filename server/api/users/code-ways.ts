/**
 * The delivery options of codes in version 2: `sendCode` sends the code, `returnCode` returns it to the caller, and
 * `isVerified` creates none. Nothing is mailed unless requested (rule API-14).
 */
import { z } from "zod";
import type { Context } from "../../context";
import * as field from "../../directory/fields";
import type { CodeDelivery } from "../../directory/mailed-code/delivery";
import { MAX_TEMPLATE_LENGTH } from "../../directory/mailed-code/link-template";
import type { Proving } from "../../directory/user/contact/prove";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { changedAnswer } from "../operation/answers";
import { details } from "../operation/schemas";
import { type Called, userRefOf } from "./user-ref";

const { strict } = field;

/** An empty string means none, as protocol buffers clients send it. */
export const urlTemplate = z
  .union([z.literal("").transform(() => undefined), field.line(MAX_TEMPLATE_LENGTH)])
  .optional()
  .meta({
    description:
      "The URL template of the link, used instead of the service's own page, with `{{.Code}}`, `{{.UserID}}` and `{{.OrgID}}`, for links to add a passkey also `{{.CodeID}}`. It must be under a verified domain of the organization or under `/ui/` of this service.",
  });

export const ways = {
  sendCode: strict({ urlTemplate }).optional(),
  returnCode: strict({}).optional(),
};
export const verifiedWays = { ...ways, isVerified: z.boolean().optional() };
/** Without a URL template, as text messages contain no link. */
export const phoneWays = { sendCode: strict({}).optional(), returnCode: strict({}).optional() };
export const verifiedPhoneWays = { ...phoneWays, isVerified: z.boolean().optional() };

interface Ways {
  sendCode?: { urlTemplate?: string };
  returnCode?: object;
  isVerified?: boolean;
}

/** A body may contain at most one delivery option. */
export function checkWays({ sendCode, returnCode, isVerified }: Ways, issues: z.RefinementCtx): void {
  if (sendCode && returnCode) issues.addIssue({ code: "custom", message: issue("code_way") });
  const other = sendCode ? "sendCode" : returnCode && "returnCode";
  if (isVerified && other) {
    issues.addIssue({ code: "custom", message: issue("one_or_other", { one: "isVerified", other }) });
  }
}

/** @returns undefined if no code was asked for */
export function deliveryOf({ sendCode, returnCode }: Ways, by: "mail" | "sms"): CodeDelivery | undefined {
  if (returnCode) return { by: "caller" };
  return sendCode && (by === "sms" ? { by } : { by, urlTemplate: sendCode.urlTemplate });
}

/** For operations that are there to make a code: mailed unless it is to be returned. */
export const codeDeliveryOf = (given: Ways): CodeDelivery => deliveryOf(given, "mail") ?? { by: "mail" };

export const verificationCode = field.line(100);

export const codeAnswer = z.object({
  details,
  verificationCode: z.string().optional().meta({ description: "Only with returnCode" }),
});

/** Waits for a change that may have made a code to return. */
export async function answerWithCode(ctx: Context, call: Called, outcome: Promise<Proving | ApiError>) {
  const made = await outcome;
  if (isApiError(made)) return made;
  const answer = await changedAnswer(ctx, "user", userRefOf(call).userId);
  return made.code === undefined ? answer : { ...answer, verificationCode: made.code };
}
