/**
 * REST addresses of procedures whose proto files name none, or name another one than REST has here: those of the same
 * operation in another version of ZITADEL.
 */
import type { OperationAddress } from "../operation/operation";

/** Like that of an operation, with `{fields}` of the message. */
export type RestAddress = OperationAddress;

const ADDRESSES: Readonly<Record<string, RestAddress>> = {
  "zitadel.admin.v1.AdminService/ListEventTypes": "GET /admin/v1/events/_types",
  "zitadel.admin.v1.AdminService/UpdateLockoutPolicy": "PUT /admin/v1/policies/lockout",
  "zitadel.management.v1.ManagementService/GetHumanProfile": "GET /management/v1/users/{user_id}",
  "zitadel.management.v1.ManagementService/SetHumanInitialPassword": "POST /management/v1/users/{user_id}/password",
  "zitadel.management.v1.ManagementService/SendHumanResetPasswordNotification":
    "POST /management/v1/users/{user_id}/password/_reset_notification",
  "zitadel.management.v1.ManagementService/RemoveHumanAuthFactorOTP": "DELETE /v2/users/{user_id}/totp",
  "zitadel.management.v1.ManagementService/RemoveHumanAuthFactorOTPSMS": "DELETE /v2/users/{user_id}/otp_sms",
  "zitadel.management.v1.ManagementService/RemoveHumanAuthFactorOTPEmail": "DELETE /v2/users/{user_id}/otp_email",
  "zitadel.management.v1.ManagementService/ListOrgChanges": "POST /management/v1/events/_search",
  "zitadel.management.v1.ManagementService/ListUserChanges": "POST /management/v1/events/_search",
  "zitadel.management.v1.ManagementService/ListProjectChanges": "POST /management/v1/events/_search",
  "zitadel.management.v1.ManagementService/ListAppChanges": "POST /management/v1/events/_search",
  "zitadel.user.v2.UserService/CreateUser": "POST /v2/users/new",
  "zitadel.user.v2.UserService/UpdateUser": "PATCH /v2/users/{user_id}",
  "zitadel.user.v2.UserService/AddSecret": "POST /v2/users/{user_id}/secret",
  "zitadel.user.v2.UserService/RemoveSecret": "DELETE /v2/users/{user_id}/secret",
  "zitadel.user.v2.UserService/AddKey": "POST /v2/users/{user_id}/keys",
  "zitadel.user.v2.UserService/RemoveKey": "DELETE /v2/users/{user_id}/keys/{key_id}",
  "zitadel.user.v2.UserService/ListKeys": "POST /v2/users/keys/search",
  "zitadel.user.v2.UserService/AddPersonalAccessToken": "POST /v2/users/{user_id}/pats",
  "zitadel.user.v2.UserService/RemovePersonalAccessToken": "DELETE /v2/users/{user_id}/pats/{token_id}",
  "zitadel.user.v2.UserService/ListPersonalAccessTokens": "POST /v2/users/pats/search",
  "zitadel.user.v2beta.UserService/UpdateHumanUser": "PUT /v2/users/human/{user_id}",
  "zitadel.webkey.v2.WebKeyService/CreateWebKey": "POST /v2beta/web_keys",
  "zitadel.webkey.v2.WebKeyService/ActivateWebKey": "POST /v2beta/web_keys/{id}/activate",
};

export const unpublishedAddress = (procedure: string): RestAddress | undefined => ADDRESSES[procedure];
