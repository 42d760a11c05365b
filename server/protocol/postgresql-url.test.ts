import { describe, expect, it } from "vitest";
import { parsePostgresqlUrl } from "./postgresql-url";

describe("a PostgreSQL URL", () => {
  it("may have one host", () => {
    expect(parsePostgresqlUrl("postgresql://me:secret@db/identity?sslmode=verify-full")).toEqual({
      hosts: ["postgresql://me:secret@db/identity?sslmode=verify-full"],
      targetSession: "any",
      connectTimeout: 5,
      connectionLimit: undefined,
    });
  });

  it("may have several hosts, in order, each with the parameters of pg", () => {
    const text =
      "postgres://me:a,b@one:5433,[::1],three:1/db?target_session_attrs=read-write&application_name=x&connection_limit=7";
    expect(parsePostgresqlUrl(text)).toEqual({
      hosts: ["one:5433", "[::1]", "three:1"].map((host) => `postgres://me:a,b@${host}/db?application_name=x`),
      targetSession: "read-write",
      connectTimeout: 2,
      connectionLimit: 7,
    });
  });

  it("may have the folder of a socket", () => {
    const text = "postgresql://postgres@localhost:5432/db?host=%2Fvar%2Frun%2Fpostgresql&connect_timeout=1";
    expect(parsePostgresqlUrl(text)).toMatchObject({
      hosts: ["postgresql://postgres@localhost:5432/db?host=%2Fvar%2Frun%2Fpostgresql"],
      connectTimeout: 1,
    });
  });

  it.each([
    ["postgresql://one:x/db", "is not a valid postgresql:// address"],
    ["postgresql://one,,two/db", "is not a valid postgresql:// address"],
    ["postgresql://one,two:99999/db", "is not a valid postgresql:// address"],
    ["postgresql://one/db?schema=public", /^has an unknown parameter: schema; there are application_name, .*user/],
    ["postgresql://one/db?constructor=x", /^has an unknown parameter: constructor;/],
    ["postgresql://one/db?sslmode=require&sslmode=disable", "has the parameter sslmode twice"],
    ["postgresql://one/db?sslmode=allow", /^has a wrong parameter: sslmode must be disable, .* or verify-full$/],
    [
      "postgresql://one,two/db?target_session_attrs=standby",
      "has a wrong parameter: target_session_attrs must be any, read-write or primary",
    ],
    [
      "postgresql://one/db?connection_limit=1",
      "has a wrong parameter: connection_limit must be a whole number from 2 to 1000",
    ],
    ["postgresql://one/db?connection_limit=many", /connection_limit must be a whole number/],
    [
      "postgresql://one/db?connect_timeout=60",
      "has a wrong parameter: connect_timeout must be a whole number from 1 to 5",
    ],
    ["postgresql://db?host=one,two", "has a wrong parameter: host names one host; name several before the database"],
    [
      "postgresql://one,two/db?host=three",
      "names hosts twice: before the database, and by the parameters host or port",
    ],
  ])("is rejected with the reason: %s", (text, reason) => {
    expect(parsePostgresqlUrl(text)).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
  });
});
