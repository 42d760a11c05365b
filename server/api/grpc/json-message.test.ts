import { type DescMessage, fromBinary, fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { ListEventsResponseSchema } from "@zitadel/proto/zitadel/admin_pb.js";
import { OIDCConfigSchema } from "@zitadel/proto/zitadel/app_pb.js";
import { AddMachineKeyResponseSchema } from "@zitadel/proto/zitadel/management_pb.js";
import { ListUsersResponseSchema } from "@zitadel/proto/zitadel/user/v2/user_service_pb.js";
import { expect, it } from "vitest";
import { bytesOf, messageJson } from "./json-message";

const at = "2026-01-02T03:04:05.678Z";
const user = {
  userId: "u-1",
  details: { sequence: "18446744073709551615", changeDate: at, creationDate: "1969-12-31T23:59:58.500Z" },
  state: "USER_STATE_ACTIVE",
  loginNames: ["a", ""],
  human: { profile: { givenName: "Å", nickName: "" }, email: { isVerified: true }, passwordChangeRequired: false },
};
const MESSAGES: [string, DescMessage, JsonObject][] = [
  ["lists, times and numbers of 64 bits", ListUsersResponseSchema, { details: { totalResult: "7" }, result: [user] }],
  [
    "bytes and times of other precisions",
    AddMachineKeyResponseSchema,
    { keyId: "k", keyDetails: "AP8B", details: { changeDate: "2026-01-02T03:04:05Z" } },
  ],
  [
    "packed enums and durations",
    OIDCConfigSchema,
    {
      grantTypes: ["OIDC_GRANT_TYPE_REFRESH_TOKEN", "OIDC_GRANT_TYPE_DEVICE_CODE"],
      clockSkew: "3.250s",
      appType: "OIDC_APP_TYPE_NATIVE",
      noneCompliant: true,
    },
  ],
  ["structures", ListEventsResponseSchema, { events: [{ sequence: "1", payload: { a: [1, null, "x"], b: {} } }] }],
];

it.each(MESSAGES)("messages in JSON are written as the library writes them: %s", (_, type, json) => {
  const message = fromJson(type, json);
  expect(fromBinary(type, bytesOf(type, json))).toEqual(message);
  expect(toJson(type, fromJson(type, messageJson(type, json) as JsonObject))).toEqual(toJson(type, message));
});

it("members and names of enums that a message does not have are left out", () => {
  const json = { result: [{ ...user, state: "USER_STATE_DREAMING", mood: "good", details: undefined }], extra: null };
  const { state: _, details: __, ...known } = user;
  expect(messageJson(ListUsersResponseSchema, json)).toEqual({ result: [known] });
  const [written] = fromBinary(ListUsersResponseSchema, bytesOf(ListUsersResponseSchema, json)).result;
  expect([written?.state, written?.userId, written?.details]).toEqual([0, "u-1", undefined]);
});
