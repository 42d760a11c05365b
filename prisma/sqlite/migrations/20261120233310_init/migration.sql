-- CreateTable
CREATE TABLE "Instance" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "defaultLanguage" TEXT NOT NULL,
    "defaultOrganizationId" TEXT,
    "features" JSONB NOT NULL,
    "security" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Organization" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "defaultLanguage" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Domain" (
    "organizationId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "isVerified" BOOLEAN NOT NULL,
    "isPrimary" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("organizationId", "domain"),
    CONSTRAINT "Domain_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "organizationId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "userName" TEXT NOT NULL,
    "loginNameKey" TEXT NOT NULL,
    "userNameKey" TEXT NOT NULL,
    "firstName" TEXT,
    "lastName" TEXT,
    "nickName" TEXT,
    "displayName" TEXT,
    "preferredLanguage" TEXT,
    "gender" TEXT,
    "claims" JSONB,
    "address" JSONB,
    "email" TEXT,
    "emailKey" TEXT,
    "isEmailVerified" BOOLEAN NOT NULL DEFAULT false,
    "phone" TEXT,
    "isPhoneVerified" BOOLEAN NOT NULL DEFAULT false,
    "passwordHash" TEXT,
    "passwordChangedAt" DATETIME,
    "name" TEXT,
    "description" TEXT,
    "accessTokenType" TEXT,
    "secretDigest" TEXT,
    "validFrom" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "User_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MachineKey" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "publicJwk" JSONB NOT NULL,
    "expiresAt" DATETIME,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "id"),
    CONSTRAINT "MachineKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "levelId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "level", "levelId", "role"),
    CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "organizationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Project_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ProjectRole" (
    "projectId" TEXT NOT NULL,
    "roleKey" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "group" TEXT,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "roleKey"),
    CONSTRAINT "ProjectRole_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "App" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "secretDigest" TEXT,
    "settings" JSONB NOT NULL,
    "jwks" JSONB,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "App_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MessageText" (
    "ownerId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "title" TEXT,
    "preHeader" TEXT,
    "subject" TEXT,
    "greeting" TEXT,
    "text" TEXT,
    "buttonText" TEXT,
    "footerText" TEXT,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,

    PRIMARY KEY ("ownerId", "type", "language")
);

-- CreateTable
CREATE TABLE "Aggregate" (
    "type" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "resourceOwner" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,

    PRIMARY KEY ("type", "id")
);

-- CreateTable
CREATE TABLE "Event" (
    "position" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "aggregateType" TEXT NOT NULL,
    "aggregateId" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "resourceOwner" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "requestId" TEXT,
    "payload" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "OutboxMessage" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "type" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "userId" TEXT,
    "recipient" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL,
    "leaseUntil" DATETIME,
    "expiresAt" DATETIME,
    "sentAt" DATETIME,
    "failedAt" DATETIME,
    "lastError" TEXT
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "algorithm" TEXT NOT NULL,
    "publicJwk" TEXT NOT NULL,
    "sealedPrivate" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "activeFrom" DATETIME,
    "removeAt" DATETIME
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userAgentDigest" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "authTime" DATETIME NOT NULL,
    "amr" TEXT NOT NULL,
    "clientAddress" TEXT,
    "userAgentName" TEXT,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "clientId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "nonce" TEXT,
    "claimsRequest" TEXT,
    "authTime" DATETIME NOT NULL,
    "amr" TEXT NOT NULL,
    "acr" TEXT,
    "codeDigest" TEXT,
    "codeExpiresAt" DATETIME,
    "codeConsumedAt" DATETIME,
    "redirectUri" TEXT,
    "codeChallenge" TEXT,
    "refreshGeneration" INTEGER NOT NULL DEFAULT 0,
    "refreshedAt" DATETIME,
    "refreshIdleUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    CONSTRAINT "Grant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Grant_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AccessToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT,
    "clientId" TEXT NOT NULL,
    "userId" TEXT,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "purpose" TEXT NOT NULL,
    "subjectId" TEXT,
    "payload" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "consumedAt" DATETIME
);

-- CreateTable
CREATE TABLE "UsedAssertion" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Domain_domain_idx" ON "Domain"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "User_loginNameKey_key" ON "User"("loginNameKey");

-- CreateIndex
CREATE INDEX "User_userNameKey_idx" ON "User"("userNameKey");

-- CreateIndex
CREATE INDEX "User_emailKey_idx" ON "User"("emailKey");

-- CreateIndex
CREATE UNIQUE INDEX "User_organizationId_userNameKey_key" ON "User"("organizationId", "userNameKey");

-- CreateIndex
CREATE INDEX "Membership_level_levelId_idx" ON "Membership"("level", "levelId");

-- CreateIndex
CREATE INDEX "Project_organizationId_idx" ON "Project"("organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "App_clientId_key" ON "App"("clientId");

-- CreateIndex
CREATE INDEX "App_projectId_idx" ON "App"("projectId");

-- CreateIndex
CREATE INDEX "Event_resourceOwner_position_idx" ON "Event"("resourceOwner", "position");

-- CreateIndex
CREATE INDEX "Event_createdAt_idx" ON "Event"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Event_aggregateType_aggregateId_sequence_key" ON "Event"("aggregateType", "aggregateId", "sequence");

-- CreateIndex
CREATE INDEX "OutboxMessage_sentAt_failedAt_nextAttemptAt_idx" ON "OutboxMessage"("sentAt", "failedAt", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_organizationId_createdAt_idx" ON "OutboxMessage"("organizationId", "createdAt");

-- CreateIndex
CREATE INDEX "Session_userAgentDigest_idx" ON "Session"("userAgentDigest");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_codeDigest_key" ON "Grant"("codeDigest");

-- CreateIndex
CREATE INDEX "Grant_userId_idx" ON "Grant"("userId");

-- CreateIndex
CREATE INDEX "Grant_sessionId_idx" ON "Grant"("sessionId");

-- CreateIndex
CREATE INDEX "Grant_expiresAt_idx" ON "Grant"("expiresAt");

-- CreateIndex
CREATE INDEX "AccessToken_expiresAt_idx" ON "AccessToken"("expiresAt");

-- CreateIndex
CREATE INDEX "OneTimeToken_purpose_subjectId_idx" ON "OneTimeToken"("purpose", "subjectId");

-- CreateIndex
CREATE INDEX "OneTimeToken_expiresAt_idx" ON "OneTimeToken"("expiresAt");

-- CreateIndex
CREATE INDEX "UsedAssertion_expiresAt_idx" ON "UsedAssertion"("expiresAt");
