-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN "resources" TEXT;

-- CreateTable
CREATE TABLE "ProjectResource" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "uri" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ProjectResource_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ProjectResource_projectId_idx" ON "ProjectResource"("projectId");
