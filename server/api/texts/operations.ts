/**
 * The operations on message texts, as one table: ten types × read default, read, set, reset × two levels, each with its
 * REST address and its name as a remote procedure (reference: REST, rpc names). Routes, gRPC services and the OpenAPI
 * document are made from it, so that none has an operation the others lack.
 */
import { MESSAGE_TYPES, type MessageType } from "../../texts/kinds";
import type { Level } from "../../texts/text-owner";

export type OperationKind = "readDefault" | "read" | "set" | "reset";

export interface TextOperation {
  kind: OperationKind;
  level: Level;
  type: MessageType;
  method: "GET" | "PUT" | "DELETE";
  /** With `:language`; the first one is canonical. */
  paths: readonly string[];
  /** Name of the remote procedure. */
  rpc: string;
}

const RPC_NAMES: Readonly<Record<MessageType, string>> = {
  init: "Init",
  passwordreset: "PasswordReset",
  verifyemail: "VerifyEmail",
  verifyphone: "VerifyPhone",
  verifysmsotp: "VerifySMSOTP",
  verifyemailotp: "VerifyEmailOTP",
  domainclaimed: "DomainClaimed",
  passwordless_registration: "PasswordlessRegistration",
  password_change: "PasswordChange",
  invite_user: "InviteUser",
};

/** Types whose organization-level procedures have another name, for historical reasons (reference: rpc names). */
const NAMED_CUSTOM_TEXT: ReadonlySet<MessageType> = new Set([
  "domainclaimed",
  "passwordless_registration",
  "password_change",
  "invite_user",
]);

export const BASE_PATHS: Readonly<Record<Level, string>> = { instance: "/admin/v1", organization: "/management/v1" };

export const textOperations: readonly TextOperation[] = (["instance", "organization"] as const).flatMap((level) =>
  MESSAGE_TYPES.flatMap((type) => operationsOf(level, type)),
);

function operationsOf(level: Level, type: MessageType): TextOperation[] {
  const base = BASE_PATHS[level];
  const own = [`${base}/text/message/${type}/:language`];
  const inherited = [`${base}/text/default/message/${type}/:language`];
  // Once published with a typo; both spellings are in use (reference: REST).
  if (level === "instance" && type === "passwordreset")
    inherited.push(`${base}/text/deafult/message/${type}/:language`);
  const name = RPC_NAMES[type];
  const set =
    level === "instance"
      ? `SetDefault${name}MessageText`
      : `SetCustom${name}Message${NAMED_CUSTOM_TEXT.has(type) ? "Custom" : ""}Text`;
  return [
    { kind: "readDefault", level, type, method: "GET", paths: inherited, rpc: `GetDefault${name}MessageText` },
    { kind: "read", level, type, method: "GET", paths: own, rpc: `GetCustom${name}MessageText` },
    { kind: "set", level, type, method: "PUT", paths: own, rpc: set },
    { kind: "reset", level, type, method: "DELETE", paths: own, rpc: `ResetCustom${name}MessageTextToDefault` },
  ];
}
