/**
 * Finds whose text a request means, and checks the permission: the one place where operations on message texts are
 * allowed or refused. The permission is checked for the organization that is read or written, before the rest of the
 * request is checked (attack: a header that names another organization; Spec: `x-service-orgid`).
 */
import type { Caller } from "../access/caller";
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import type { Permission } from "../directory/member/permissions";
import { checkPrivilegesOverReaders } from "../directory/member/privileges";
import { type ApiError, isApiError } from "../protocol/api-error";
import type { MessageType } from "./kinds";
import { languageNotSupported, parseLanguage } from "./languages";
import type { OverrideKey } from "./override";
import { opensAccount } from "./variables";

export type Level = "instance" | "organization";

/** The text that a request names. */
export interface TextTarget {
  level: Level;
  /** At organization level, the organization that the request names; undefined: the caller's own. */
  organizationId?: string;
  type: MessageType;
  /** As given, not validated. */
  language: string;
}

const PERMISSIONS: Readonly<Record<Level, Readonly<Record<"read" | "write" | "delete", Permission>>>> = {
  instance: { read: "iam.policy.read", write: "iam.policy.write", delete: "iam.policy.delete" },
  organization: { read: "policy.read", write: "policy.write", delete: "policy.delete" },
};

export interface TextOwner {
  /** Organization id or instance id. */
  ownerId: string;
  instanceId: string;
  /** Undefined at instance level. */
  organizationId?: string;
}

/** The owner of the level's texts, if the caller has the permission; else the refusal. */
export async function authorizeOwner(
  ctx: Context,
  caller: Caller,
  target: Pick<TextTarget, "level" | "organizationId">,
  action: "read" | "write" | "delete",
): Promise<TextOwner | ApiError> {
  const { level } = target;
  const organizationId = level === "organization" ? (target.organizationId ?? caller.organizationId) : undefined;
  const refusal = await checkPermission(ctx, caller, PERMISSIONS[level][action], { organizationId });
  if (refusal) return refusal;
  const instanceId = (await findInstance(ctx)).id;
  return { ownerId: organizationId ?? instanceId, instanceId, organizationId };
}

/** The text that a request means, if the caller has the permission; its language is in canonical form (contract §6). */
export async function authorizeText(
  ctx: Context,
  caller: Caller,
  target: TextTarget,
  action: "read" | "write" | "delete",
): Promise<(TextOwner & { key: OverrideKey }) | ApiError> {
  const owner = await authorizeOwner(ctx, caller, target, action);
  if (isApiError(owner)) return owner;
  const language = parseLanguage(target.language);
  if (!language) return languageNotSupported();
  return { ...owner, key: { ownerId: owner.ownerId, type: target.type, language } };
}

/**
 * The text that a request is to change, if the caller may. What opens accounts is changed by those who have power over
 * everybody it opens: a text can talk people into giving their code away (attack: taking over an owner's account).
 */
export async function authorizeTextChange(
  ctx: Context,
  caller: Caller,
  target: TextTarget,
  action: "write" | "delete",
): Promise<(TextOwner & { key: OverrideKey }) | ApiError> {
  const found = await authorizeText(ctx, caller, target, action);
  if (isApiError(found) || !opensAccount(target.type)) return found;
  return (await checkPrivilegesOverReaders(ctx, caller.userId, found.organizationId)) ?? found;
}
