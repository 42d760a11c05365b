/**
 * What the instance grants an app: that it is trusted like an app of everybody's own organization, and that it may get
 * tokens for the management APIs (protocol/trust, protocol/management). Both speak to the people of all organizations,
 * so the app's own organization can neither grant them nor, while they stand, change what they were granted to: another
 * redirect address, secret, key or name would be another app under a familiar name.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { type ApiError, permissionDenied } from "../../protocol/api-error";
import { hasPermission } from "../member/permissions";

export const vouchingShape = {
  trusted: z.boolean().meta({ description: "People of all organizations are asked as little as by their own apps" }),
  allowManagementApi: z
    .boolean()
    .meta({ description: "May manage the service in people's names, each time after asking them" }),
};

export const vouching = z.object(vouchingShape).partial();
export type Vouching = z.output<typeof vouching>;

/** As stored. */
export interface VouchedApp {
  isTrusted: boolean | number;
  mayManage: boolean | number;
}

/** A new app, before anybody has said anything of it. */
export const UNVOUCHED: VouchedApp = { isTrusted: false, mayManage: false };

/** The columns of what is given; what is left out stays as it is. */
export function vouchingFields({ trusted, allowManagementApi }: Vouching): {
  isTrusted?: boolean;
  mayManage?: boolean;
} {
  return { isTrusted: trusted, mayManage: allowManagementApi };
}

export function vouchingAnswer({ isTrusted, mayManage }: VouchedApp): Required<Vouching> {
  return { trusted: Boolean(isTrusted), allowManagementApi: Boolean(mayManage) };
}

/** Whether the caller may say what the instance grants: only somebody who may change the instance itself. */
export function mayVouch(ctx: Context, callerId: string): Promise<boolean> {
  return hasPermission(ctx, callerId, "iam.write");
}

/**
 * The refusal of a change by somebody who may not vouch: to what the instance grants, or to an app that it vouches for.
 * @param wanted what is to stand afterwards; sending what stands already is no change
 */
export function checkVouching(stored: VouchedApp, wanted: Vouching): ApiError | undefined {
  const stands = vouchingAnswer(stored);
  const grants = (["trusted", "allowManagementApi"] as const).find(
    (name) => wanted[name] !== undefined && wanted[name] !== stands[name],
  );
  if (grants) {
    const reason = `Only somebody who manages the instance can change ${grants}.`;
    return permissionDenied("app.not_yours_to_vouch", reason, { field: grants });
  }
  if (!stands.trusted && !stands.allowManagementApi) return undefined;
  return permissionDenied(
    "app.vouched_for",
    "The instance vouches for this app, so only people who manage the instance can change it. You can still deactivate or delete it.",
  );
}
