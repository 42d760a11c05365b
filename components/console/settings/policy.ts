// Policies as data: their settings and their addresses. They are the same for the instance and for organizations, which
// may have their own or inherit.

import type { Schemas } from "../../../server/api/generated/operations";
import {
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
} from "../generated/operations";

export type FieldKind = "switch" | "number" | "hours" | "link" | "email";

export interface PolicyField {
  name: string;
  kind: FieldKind;
  min?: number;
  max?: number;
}

export interface PolicyKind {
  /** The part of the address after `/policies/`, and the key of its texts. */
  path: string;
  fields: readonly PolicyField[];
  instance: object;
  organization: object;
}

const MAX_HOURS = 87_600;

export const POLICY_KINDS = [
  {
    path: "login",
    instance: { read: GetInstanceLoginPolicy },
    organization: { read: GetLoginPolicy },
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
    instance: { read: GetInstancePasswordComplexityPolicy },
    organization: { read: GetPasswordComplexityPolicy },
    fields: [{ name: "minLength", kind: "number", min: 8, max: 72 }],
  },
  {
    path: "lockout",
    instance: { read: GetInstanceLockoutPolicy },
    organization: { read: GetLockoutPolicy },
    fields: [{ name: "maxPasswordAttempts", kind: "number", min: 10, max: 100 }],
  },
  {
    path: "notification",
    instance: { read: GetInstanceNotificationPolicy },
    organization: { read: GetNotificationPolicy },
    fields: [{ name: "passwordChange", kind: "switch" }],
  },
  {
    path: "privacy",
    instance: { read: GetInstancePrivacyPolicy },
    organization: { read: GetPrivacyPolicy },
    fields: [
      { name: "tosLink", kind: "link" },
      { name: "privacyLink", kind: "link" },
      { name: "helpLink", kind: "link" },
      { name: "docsLink", kind: "link" },
      { name: "supportEmail", kind: "email" },
    ],
  },
] as const satisfies readonly PolicyKind[];

export type Policy = { details: Schemas["Details"]; isDefault: boolean } & Readonly<Record<string, unknown>>;

export type PolicyLevel = "instance" | "organization";

export const policyAddress = (level: PolicyLevel, path: string): string =>
  `/${level === "instance" ? "admin" : "management"}/v1/policies/${path}`;

/** Protocol buffers' durations, as in `3600s`, in hours. */
export const hoursOf = (duration: unknown): number => Number(String(duration).replace(/s$/, "")) / 3600;
