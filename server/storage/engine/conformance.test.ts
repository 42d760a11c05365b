import { describe } from "vitest";
import { connectTestDatabase, databaseKinds, testDatabaseUrl } from "../../testing/database";
import { databaseConformance } from "../../testing/database-conformance/conformance";

describe.each(databaseKinds)("%s", (kind) => {
  databaseConformance(async () => {
    const url = await testDatabaseUrl(kind);
    const database = await connectTestDatabase(url);
    return { database, other: kind === "sqlite" ? database : await connectTestDatabase(url) };
  });
});
