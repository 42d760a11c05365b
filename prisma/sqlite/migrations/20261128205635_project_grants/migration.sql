-- AlterTable
ALTER TABLE "UserGrant" ADD COLUMN "projectGrantId" TEXT;

-- CreateTable
CREATE TABLE "ProjectGrant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "grantedOrganizationId" TEXT NOT NULL,
    "roleKeys" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "ProjectGrant_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ProjectGrant_grantedOrganizationId_fkey" FOREIGN KEY ("grantedOrganizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ProjectGrant_projectId_id_idx" ON "ProjectGrant"("projectId", "id");

-- CreateIndex
CREATE INDEX "ProjectGrant_grantedOrganizationId_id_idx" ON "ProjectGrant"("grantedOrganizationId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ProjectGrant_projectId_grantedOrganizationId_key" ON "ProjectGrant"("projectId", "grantedOrganizationId");

-- CreateIndex
CREATE INDEX "UserGrant_projectGrantId_idx" ON "UserGrant"("projectGrantId");
