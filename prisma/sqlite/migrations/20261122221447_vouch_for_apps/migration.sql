-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_App" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "jwks" JSONB,
    "isTrusted" BOOLEAN NOT NULL DEFAULT false,
    "mayManage" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "App_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_App" ("changedAt", "clientId", "createdAt", "id", "jwks", "kind", "name", "projectId", "settings", "state") SELECT "changedAt", "clientId", "createdAt", "id", "jwks", "kind", "name", "projectId", "settings", "state" FROM "App";
DROP TABLE "App";
ALTER TABLE "new_App" RENAME TO "App";
CREATE UNIQUE INDEX "App_clientId_key" ON "App"("clientId");
CREATE INDEX "App_projectId_name_id_idx" ON "App"("projectId", "name", "id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
