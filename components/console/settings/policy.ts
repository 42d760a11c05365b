// Policies as data: their settings and their addresses. They are the same for the instance and for organizations, which
// may have their own or inherit.

import type { Schemas } from "../../../server/api/generated/operations";
import {
  AddCustomLockoutPolicy,
  AddCustomLoginPolicy,
  AddCustomNotificationPolicy,
  AddCustomPasswordComplexityPolicy,
  AddCustomPrivacyPolicy,
  GetInstanceLockoutPolicy,
  GetInstanceLoginPolicy,
  GetInstanceNotificationPolicy,
  GetInstancePasswordComplexityPolicy,
  GetInstancePrivacyPolicy,
  GetLockoutPolicy,
  GetLoginPolicy,
  GetNotificationPolicy,
  GetPasswordComplexityPolicy,
  GetPrivacyPolicy,
  ResetLockoutPolicyToDefault,
  ResetLoginPolicyToDefault,
  ResetNotificationPolicyToDefault,
  ResetPasswordComplexityPolicyToDefault,
  ResetPrivacyPolicyToDefault,
  SetInstanceLockoutPolicy,
  SetInstanceLoginPolicy,
  SetInstanceNotificationPolicy,
  SetInstancePasswordComplexityPolicy,
  SetInstancePrivacyPolicy,
  UpdateCustomLockoutPolicy,
  UpdateCustomLoginPolicy,
  UpdateCustomNotificationPolicy,
  UpdateCustomPasswordComplexityPolicy,
  UpdateCustomPrivacyPolicy,
} from "../generated/operations";

export type FieldKind = "switch" | "number" | "hours" | "link" | "email";

export interface PolicyField {
  name: string;
  kind: FieldKind;
  min?: number;
  max?: number;
}

const MAX_HOURS = 87_600;

/** `path` is the part of the address after `/policies/`, and the key of their texts. */
export const POLICY_KINDS = [
  {
    path: "login",
    instance: { read: GetInstanceLoginPolicy, add: SetInstanceLoginPolicy, change: SetInstanceLoginPolicy },
    organization: {
      read: GetLoginPolicy,
      add: AddCustomLoginPolicy,
      change: UpdateCustomLoginPolicy,
      reset: ResetLoginPolicyToDefault,
    },
    fields: [
      { name: "allowRegister", kind: "switch" },
      { name: "allowUsernamePassword", kind: "switch" },
      { name: "identifierFirst", kind: "switch" },
      { name: "hidePasswordReset", kind: "switch" },
      { name: "forceMfa", kind: "switch" },
      { name: "mfaInitSkipLifetime", kind: "hours", min: 0, max: MAX_HOURS },
      { name: "passwordCheckLifetime", kind: "hours", max: MAX_HOURS },
      { name: "secondFactorCheckLifetime", kind: "hours", max: MAX_HOURS },
      { name: "multiFactorCheckLifetime", kind: "hours", max: MAX_HOURS },
    ],
  },
  {
    path: "password/complexity",
    instance: {
      read: GetInstancePasswordComplexityPolicy,
      add: SetInstancePasswordComplexityPolicy,
      change: SetInstancePasswordComplexityPolicy,
    },
    organization: {
      read: GetPasswordComplexityPolicy,
      add: AddCustomPasswordComplexityPolicy,
      change: UpdateCustomPasswordComplexityPolicy,
      reset: ResetPasswordComplexityPolicyToDefault,
    },
    fields: [{ name: "minLength", kind: "number", min: 8, max: 72 }],
  },
  {
    path: "lockout",
    instance: { read: GetInstanceLockoutPolicy, add: SetInstanceLockoutPolicy, change: SetInstanceLockoutPolicy },
    organization: {
      read: GetLockoutPolicy,
      add: AddCustomLockoutPolicy,
      change: UpdateCustomLockoutPolicy,
      reset: ResetLockoutPolicyToDefault,
    },
    fields: [{ name: "maxPasswordAttempts", kind: "number", min: 10, max: 100 }],
  },
  {
    path: "notification",
    instance: {
      read: GetInstanceNotificationPolicy,
      add: SetInstanceNotificationPolicy,
      change: SetInstanceNotificationPolicy,
    },
    organization: {
      read: GetNotificationPolicy,
      add: AddCustomNotificationPolicy,
      change: UpdateCustomNotificationPolicy,
      reset: ResetNotificationPolicyToDefault,
    },
    fields: [
      { name: "passwordChange", kind: "switch" },
      { name: "factorAdded", kind: "switch" },
      { name: "factorRemoved", kind: "switch" },
      { name: "emailChanged", kind: "switch" },
      { name: "phoneChanged", kind: "switch" },
      { name: "newDevice", kind: "switch" },
      { name: "accountLocked", kind: "switch" },
      { name: "recoveryCodesUsed", kind: "switch" },
      { name: "appConsent", kind: "switch" },
    ],
  },
  {
    path: "privacy",
    instance: { read: GetInstancePrivacyPolicy, add: SetInstancePrivacyPolicy, change: SetInstancePrivacyPolicy },
    organization: {
      read: GetPrivacyPolicy,
      add: AddCustomPrivacyPolicy,
      change: UpdateCustomPrivacyPolicy,
      reset: ResetPrivacyPolicyToDefault,
    },
    fields: [
      { name: "tosLink", kind: "link" },
      { name: "privacyLink", kind: "link" },
      { name: "helpLink", kind: "link" },
      { name: "docsLink", kind: "link" },
      { name: "supportEmail", kind: "email" },
    ],
  },
] as const satisfies readonly { path: string; fields: readonly PolicyField[]; [level: string]: unknown }[];
export type PolicyKind = (typeof POLICY_KINDS)[number];

export type Policy = { details: Schemas["Details"]; isDefault: boolean } & Readonly<Record<string, unknown>>;

export type PolicyLevel = "instance" | "organization";

/** Protocol buffers' durations, as in `3600s`, in hours. */
export const hoursOf = (duration: unknown): number => Number(String(duration).replace(/s$/, "")) / 3600;
