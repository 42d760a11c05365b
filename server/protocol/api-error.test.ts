import { describe, expect, it } from "vitest";
import { apiErrorBody, GRPC_CODES, httpStatusOf, invalidArgument, isApiError, notFound } from "./api-error";

describe("errors of the management APIs (rules API-1, API-2)", () => {
  it("have a code, a message and one detail with a stable id", () => {
    expect(apiErrorBody(notFound("message_text.not_found", "There is no such text."))).toEqual({
      code: 5,
      message: "There is no such text.",
      details: [{ "@type": "type.googleapis.com/service.v1.ErrorDetail", id: "message_text.not_found" }],
    });
  });

  it("name the field, its limit and the position if present, even if it is 0", () => {
    const error = invalidArgument("message_text.too_long", "Too long.", { field: "title", limit: 500, position: 0 });
    expect(apiErrorBody(error).details[0]).toMatchObject({ field: "title", limit: 500, position: 0 });
  });

  it("never show the cause", () => {
    const error = invalidArgument("service.unexpected", "No.", { cause: new Error("secret") });
    expect(JSON.stringify(apiErrorBody(error))).not.toContain("secret");
  });

  it.each([
    [3, 400],
    [5, 404],
    [6, 409],
    [7, 403],
    [8, 429],
    [9, 400],
    [12, 501],
    [13, 500],
    [14, 503],
    [16, 401],
  ] as const)("code %i is HTTP %i", (code, status) => {
    expect(httpStatusOf(code)).toBe(status);
  });

  it("map every code to a status", () => {
    for (const code of Object.values(GRPC_CODES)) expect(httpStatusOf(code)).toBeGreaterThanOrEqual(400);
  });

  it("cannot be forged by parsed JSON", () => {
    expect(isApiError(JSON.parse(JSON.stringify(notFound("service.unexpected", "c"))))).toBe(false);
    expect(isApiError(notFound("service.unexpected", "c"))).toBe(true);
    expect(isApiError(null)).toBe(false);
  });
});
