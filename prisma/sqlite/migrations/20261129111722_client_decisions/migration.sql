-- CreateTable
CREATE TABLE "ClientDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "organizationId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "ClientDecision_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ClientDecision_organizationId_id_idx" ON "ClientDecision"("organizationId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ClientDecision_organizationId_kind_value_key" ON "ClientDecision"("organizationId", "kind", "value");
