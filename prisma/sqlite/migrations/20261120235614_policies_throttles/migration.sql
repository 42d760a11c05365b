-- CreateTable
CREATE TABLE "Policy" (
    "ownerId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,

    PRIMARY KEY ("ownerId", "kind")
);

-- CreateTable
CREATE TABLE "Throttle" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "failures" INTEGER NOT NULL,
    "blockedUntil" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_User" (
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
    "passwordChangeRequired" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT,
    "description" TEXT,
    "accessTokenType" TEXT,
    "secretDigest" TEXT,
    "validFrom" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "User_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_User" ("accessTokenType", "address", "changedAt", "claims", "createdAt", "description", "displayName", "email", "emailKey", "firstName", "gender", "id", "isEmailVerified", "isPhoneVerified", "kind", "lastName", "loginNameKey", "name", "nickName", "organizationId", "passwordChangedAt", "passwordHash", "phone", "preferredLanguage", "secretDigest", "state", "userName", "userNameKey", "validFrom") SELECT "accessTokenType", "address", "changedAt", "claims", "createdAt", "description", "displayName", "email", "emailKey", "firstName", "gender", "id", "isEmailVerified", "isPhoneVerified", "kind", "lastName", "loginNameKey", "name", "nickName", "organizationId", "passwordChangedAt", "passwordHash", "phone", "preferredLanguage", "secretDigest", "state", "userName", "userNameKey", "validFrom" FROM "User";
DROP TABLE "User";
ALTER TABLE "new_User" RENAME TO "User";
CREATE UNIQUE INDEX "User_loginNameKey_key" ON "User"("loginNameKey");
CREATE INDEX "User_userNameKey_idx" ON "User"("userNameKey");
CREATE INDEX "User_emailKey_idx" ON "User"("emailKey");
CREATE UNIQUE INDEX "User_organizationId_userNameKey_key" ON "User"("organizationId", "userNameKey");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "Throttle_expiresAt_idx" ON "Throttle"("expiresAt");
