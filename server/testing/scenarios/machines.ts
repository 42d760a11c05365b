/** A machine with all of its credentials. */
import type { Step } from "./step";

type Values = Record<string, string>;
const robot = ({ userId = "" }: Values) => ({ userId });
const withKey = ({ userId = "", keyId = "" }: Values) => ({ userId, keyId });
const withToken = ({ userId = "", tokenId = "" }: Values) => ({ userId, tokenId });

export const machineSteps: Step[] = [
  {
    operation: "AddMachineUser",
    as: "colleague",
    body: { userName: "robot", name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" },
    keep: ({ userId }, memory) => {
      memory.userId = userId;
    },
  },
  {
    operation: "UpdateMachine",
    as: "colleague",
    parameters: robot,
    body: { name: "Build robot", description: null, accessTokenType: "ACCESS_TOKEN_TYPE_BEARER" },
  },
  { operation: "GenerateMachineSecret", as: "colleague", parameters: robot, body: {} },
  { operation: "RemoveMachineSecret", as: "colleague", parameters: robot },
  {
    operation: "AddMachineKey",
    as: "colleague",
    parameters: robot,
    body: { type: "KEY_TYPE_JSON", expirationDate: "2099-01-01T00:00:00Z" },
    keep: ({ keyId }, memory) => {
      memory.keyId = keyId;
    },
  },
  { operation: "ListMachineKeys", as: "colleague", parameters: robot },
  { operation: "GetMachineKeyByIDs", as: "colleague", parameters: withKey },
  { operation: "RemoveMachineKey", as: "colleague", parameters: withKey },
  {
    operation: "AddPersonalAccessToken",
    as: "colleague",
    parameters: robot,
    body: {},
    keep: ({ tokenId }, memory) => {
      memory.tokenId = tokenId;
    },
  },
  { operation: "ListPersonalAccessTokens", as: "colleague", parameters: robot },
  { operation: "GetPersonalAccessTokenByIDs", as: "colleague", parameters: withToken },
  { operation: "RemovePersonalAccessToken", as: "colleague", parameters: withToken },
  { operation: "AddSecretV2", as: "colleague", parameters: robot, body: {} },
  { operation: "RemoveSecretV2", as: "colleague", parameters: robot },
  {
    operation: "AddMachineKeyV2",
    as: "colleague",
    parameters: robot,
    body: { expirationDate: "2099-01-01T00:00:00Z" },
    keep: ({ keyId }, memory) => {
      memory.keyId = keyId;
    },
  },
  { operation: "ListKeysV2", as: "colleague", body: { pagination: { limit: 1 } } },
  { operation: "ListMachineKeysV2", as: "colleague", parameters: robot, body: {} },
  { operation: "RemoveMachineKeyV2", as: "colleague", parameters: withKey },
  {
    operation: "AddPersonalAccessTokenV2",
    as: "colleague",
    parameters: robot,
    body: { expirationDate: "2099-01-01T00:00:00Z" },
    keep: ({ tokenId }, memory) => {
      memory.tokenId = tokenId;
    },
  },
  { operation: "ListPersonalAccessTokensV2", as: "colleague" },
  { operation: "ListMachineTokensV2", as: "colleague", parameters: robot, body: {} },
  { operation: "RemovePersonalAccessTokenV2", as: "colleague", parameters: withToken },
];
