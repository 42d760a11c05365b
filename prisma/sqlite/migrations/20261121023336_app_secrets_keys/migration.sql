-- DropIndex
DROP INDEX "Project_organizationId_idx";

-- CreateTable
CREATE TABLE "AppSecret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "AppSecret_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AppKey" (
    "id" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "publicJwk" JSONB NOT NULL,
    "expiresAt" DATETIME,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("appId", "id"),
    CONSTRAINT "AppKey_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Every secret there is becomes the first of its app.
INSERT INTO "AppSecret" ("id", "appId", "digest", "createdAt")
SELECT "id", "id", "secretDigest", "createdAt" FROM "App" WHERE "secretDigest" IS NOT NULL;

-- AlterTable
ALTER TABLE "App" DROP COLUMN "secretDigest";

-- RedefineIndex
DROP INDEX "App_projectId_idx";
CREATE INDEX "App_projectId_name_id_idx" ON "App"("projectId", "name", "id");

-- CreateIndex
CREATE INDEX "AppSecret_appId_idx" ON "AppSecret"("appId");

-- CreateIndex
CREATE INDEX "Event_type_position_idx" ON "Event"("type", "position");

-- CreateIndex
CREATE INDEX "Event_actor_position_idx" ON "Event"("actor", "position");

-- CreateIndex
CREATE INDEX "Project_organizationId_name_id_idx" ON "Project"("organizationId", "name", "id");

-- CreateIndex
CREATE INDEX "UserGrant_organizationId_id_idx" ON "UserGrant"("organizationId", "id");
