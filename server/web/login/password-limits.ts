/** What pages say about a new password. */
import type { PasswordLengths } from "../../../components/login/new-password";
import type { Context } from "../../context";
import { CHARACTER_KIND_NAMES } from "../../directory/password-length";
import { findPolicy } from "../../directory/policy/policies";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";

/** @param organizationId the organization whose password policy applies; undefined for the instance's */
export async function passwordLimits(ctx: Context, organizationId: string | undefined): Promise<PasswordLengths> {
  const policy = await findPolicy(ctx, "password", organizationId);
  return {
    minimumPasswordLength: policy.minLength,
    maximumPasswordLength: MAX_PASSWORD_LENGTH,
    requiredCharacters: CHARACTER_KIND_NAMES.filter((kind) => policy[kind]),
  };
}
