/** Devices that wait for approval (RFC 8628), as a login client reads and answers them with the session of a user. */
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { type FlowDevice, openFlow, sealFlow } from "../../oidc/flow";
import { type ApiError, failedPrecondition, notFound, resourceExhausted } from "../../protocol/api-error";
import type { Client } from "../../protocol/client";
import { requiredAction } from "../../sessions/required-action";
import type { UserAgent } from "../../sessions/user-agent";
import { denyUnopenedDevice } from "../../storage/grant/device-authorizations";
import { answerDevice, claimForSession, openUserCode } from "../device";
import { browserOf, type CarriedSession, findStoredSession } from "./carried-session";

export interface DeviceRequest {
  /** Sealed, so that only a request that was read can be answered. */
  id: string;
  device: FlowDevice;
  client: Client;
}

export async function readDeviceRequest(
  ctx: Context,
  userCode: string,
  userAgent: UserAgent,
): Promise<DeviceRequest | ApiError> {
  const opened = await openUserCode(ctx, userCode, userAgent);
  if (opened.kind === "throttled") {
    const retryAfter = Math.max(1, Math.ceil((opened.retryAt - ctx.clock()) / 1000));
    return resourceExhausted("session.throttled", "Too many wrong codes. Try again later.", { retryAfter });
  }
  const client = opened.kind === "opened" ? await findClient(ctx, opened.device.clientId) : undefined;
  if (opened.kind !== "opened" || !client) return noSuchDevice();
  const { device } = opened;
  const id = sealFlow(ctx, { kind: "sign-in", startedAt: ctx.clock(), page: "device", device });
  return { id, device, client };
}

/**
 * Answers a device.
 * @param carried the session of the user who allows it; undefined to deny it
 */
export async function answerDeviceRequest(
  ctx: Context,
  id: string,
  carried: CarriedSession | undefined,
): Promise<ApiError | undefined> {
  const opened = openFlow(ctx, "sign-in", id);
  const device = opened?.flow.device;
  if (!device || opened.expired) return noSuchDevice();
  if (!carried) return (await denyUnopenedDevice(ctx.db, device.id, ctx.clock())) ? undefined : noSuchDevice();
  const session = await findStoredSession(ctx, carried);
  if (!session || (await requiredAction(ctx, session, "any"))) {
    return failedPrecondition("auth_request.session_missing", "The session has ended, or is not complete.");
  }
  await claimForSession(ctx, device, session.id);
  const answer = await answerDevice(ctx, device, true, browserOf(carried));
  if (answer === "not-admitted") {
    return failedPrecondition(
      "auth_request.session_missing",
      "The app is not open to this user. The device was denied.",
    );
  }
  return answer === "too-late" ? noSuchDevice() : undefined;
}

const noSuchDevice = (): ApiError =>
  notFound("device_request.not_found", "No device waits with this code. Check it, or start again at the device.");
