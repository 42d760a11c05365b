-- CreateTable
CREATE TABLE "SignInAttempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "createdAt" DATETIME NOT NULL,
    "count" INTEGER NOT NULL,
    "lastAt" DATETIME NOT NULL,
    "reason" TEXT NOT NULL,
    "userId" TEXT,
    "organizationId" TEXT,
    "flowOrganizationId" TEXT,
    "loginName" TEXT,
    "nameDigest" TEXT,
    "clientId" TEXT,
    "address" TEXT,
    "device" TEXT,
    "detail" TEXT,
    CONSTRAINT "SignInAttempt_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "SignInAttempt_createdAt_idx" ON "SignInAttempt"("createdAt");

-- CreateIndex
CREATE INDEX "SignInAttempt_userId_createdAt_idx" ON "SignInAttempt"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "SignInAttempt_organizationId_createdAt_idx" ON "SignInAttempt"("organizationId", "createdAt");

-- CreateIndex
CREATE INDEX "SignInAttempt_flowOrganizationId_createdAt_idx" ON "SignInAttempt"("flowOrganizationId", "createdAt");

-- CreateIndex
CREATE INDEX "SignInAttempt_clientId_createdAt_idx" ON "SignInAttempt"("clientId", "createdAt");

-- CreateIndex
CREATE INDEX "SignInAttempt_nameDigest_createdAt_idx" ON "SignInAttempt"("nameDigest", "createdAt");
