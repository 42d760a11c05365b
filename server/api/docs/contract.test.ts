import { describe, expect, it } from "vitest";
import { contractRoutes } from "./contract";

describe("the OpenAPI document", () => {
  it("is not generated at the start, which would wait for it (rule CONFIG-6)", () => {
    let asked = 0;
    const config = {
      authUrl: "http://localhost:8080",
      get baseUrl() {
        asked += 1; // every address of the document begins with it
        return "http://localhost:8080";
      },
    };
    expect(Object.keys(contractRoutes({ config }))).toContain("/openapi.json");
    expect(asked).toBe(0);
  });
});
