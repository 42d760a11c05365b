import { expect, it } from "vitest";
import { mergeRoutes } from "./routes";

it("puts addresses before the parameters and wildcards that would match them, too", () => {
  const answer = () => new Response();
  const table = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, { POST: answer }]));
  const merged = mergeRoutes(table("/api/*", "/users/:id", "/api/:id"), table("/api/previews", "/users/human"));
  expect(Object.keys(merged)).toEqual(["/api/previews", "/api/:id", "/api/*", "/users/human", "/users/:id"]);
});
