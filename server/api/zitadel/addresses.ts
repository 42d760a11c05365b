/** The REST addresses of procedures. */
import { zitadelServices } from "../grpc/generated/zitadel-services";
import type { OperationAddress } from "../operation/operation";
import type { ZitadelServiceName } from "./descriptors";

/** Like that of an operation, with `{fields}` of the message. */
export type RestAddress = OperationAddress;

/**
 * Those of procedures whose proto files name none, or name another one than REST has here: those of the same operation
 * in another version of ZITADEL.
 */
const ADDRESSES: Readonly<Record<string, RestAddress>> = {
  "zitadel.admin.v1.AdminService/ListEventTypes": "GET /admin/v1/events/_types",
  "zitadel.admin.v1.AdminService/UpdateLockoutPolicy": "PUT /admin/v1/policies/lockout",
  "zitadel.admin.v1.AdminService/UpdateGitLabProvider": "PUT /admin/v1/idps/gitlab/{id}",
  "zitadel.admin.v1.AdminService/UpdateGitLabSelfHostedProvider": "PUT /admin/v1/idps/gitlab_self_hosted/{id}",
  "zitadel.admin.v1.AdminService/RemoveSecondFactorFromLoginPolicy": "DELETE /admin/v1/policies/login/second_factors",
  "zitadel.management.v1.ManagementService/RemoveSecondFactorFromLoginPolicy":
    "DELETE /management/v1/policies/login/second_factors",
  "zitadel.management.v1.ManagementService/RemoveHumanAuthFactorU2F": "DELETE /v2/users/{user_id}/u2f/{token_id}",
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

/** The addresses in the proto files. */
export const publishedAddresses = (service: ZitadelServiceName, method: string): readonly RestAddress[] =>
  (zitadelServices[service].methods as Readonly<Record<string, readonly RestAddress[]>>)[method] ?? [];

/** Where the operation of a procedure may be, in this order. */
export function addressesOf(service: ZitadelServiceName, method: string): readonly RestAddress[] {
  const declared = ADDRESSES[`${service}/${method}`];
  const published = publishedAddresses(service, method);
  // The beta version of a service has the messages of the version that followed it.
  const succeeding = published.map((address) => address.replace(" /v2beta/", " /v2/") as RestAddress);
  return [...(declared ? [declared] : []), ...published, ...succeeding];
}
