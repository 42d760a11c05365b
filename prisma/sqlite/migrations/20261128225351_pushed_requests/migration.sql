-- CreateTable
CREATE TABLE "PushedRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "clientId" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "openedAt" DATETIME,
    "consumedAt" DATETIME
);

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");
