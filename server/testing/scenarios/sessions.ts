/** Sessions: those of all callers so far. */
import type { Memory, Step } from "./step";

export const sessionSteps: Step[] = [
  { operation: "ListInstanceSessions", body: { queries: [{ organizationIdQuery: { organizationId: "acme" } }] } },
  {
    operation: "ListSessions",
    as: "colleague",
    body: { queries: [{ userIdQuery: { userId: "u-nobody" } }] },
    keep: ({ result }, memory) => Object.assign(memory, { sessionId: result[0].id }),
  },
  { operation: "SearchSessions", body: { queries: [{ userIdQuery: { id: "u-nobody" } }] } },
  {
    operation: "CreateSession",
    body: { checks: { user: { userId: "u-ada" } }, userAgent: { ip: "192.0.2.7" } },
    keep: ({ sessionId, sessionToken }, memory) => Object.assign(memory, { ownId: sessionId, sessionToken }),
  },
  {
    operation: "SetSession",
    parameters: ({ ownId = "" }: Memory) => ({ sessionId: ownId }),
    body: ({ sessionToken = "" }: Memory) => ({ sessionToken, checks: { password: { password: "wrong" } } }),
    refused: "session.credentials_wrong",
  },
  { operation: "GetSession", parameters: ({ sessionId = "" }: Memory) => ({ sessionId }) },
  {
    operation: "StartIdentityProviderIntent",
    body: {
      idpId: "none",
      urls: { successUrl: "https://login.example/ok", failureUrl: "https://login.example/failed" },
    },
    refused: "identity_provider.not_found",
  },
  {
    operation: "RetrieveIdentityProviderIntent",
    parameters: { idpIntentId: "none" },
    body: { idpIntentToken: "none" },
    refused: "idp_intent.not_found",
  },
  { operation: "GetAuthRequest", parameters: { authRequest: "none" }, refused: "auth_request.not_found" },
  {
    operation: "CreateCallback",
    parameters: { authRequest: "none" },
    body: { error: { error: "ERROR_REASON_ACCESS_DENIED" } },
    refused: "auth_request.not_found",
  },
  {
    operation: "GetDeviceAuthorizationRequest",
    parameters: { deviceAuthorization: "BCDF-GHJK" },
    refused: "device_request.not_found",
  },
  {
    operation: "AuthorizeOrDenyDeviceAuthorization",
    parameters: { deviceAuthorization: "none" },
    body: { deny: {} },
    refused: "device_request.not_found",
  },
  { operation: "DeleteSession", as: "colleague", parameters: ({ sessionId = "" }: Memory) => ({ sessionId }) },
];
