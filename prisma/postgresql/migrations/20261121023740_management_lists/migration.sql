-- DropIndex
DROP INDEX "Membership_level_levelId_idx";

-- DropIndex
DROP INDEX "User_emailKey_idx";

-- DropIndex
DROP INDEX "User_userNameKey_idx";

-- AlterTable
ALTER TABLE "Domain" ADD COLUMN     "challengeToken" TEXT,
ADD COLUMN     "challengeType" TEXT;

-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "nameKey" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "displayNameKey" TEXT COLLATE "C",
-- Names are compared, sorted and searched by their beginnings code point by code point, as in SQLite.
ALTER COLUMN "userNameKey" TYPE TEXT COLLATE "C",
ALTER COLUMN "loginNameKey" TYPE TEXT COLLATE "C",
ALTER COLUMN "emailKey" TYPE TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "UserWord" (
    "userId" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "UserWord_pkey" PRIMARY KEY ("userId","word")
);

-- CreateTable
CREATE TABLE "PersonalAccessToken" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PersonalAccessToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UserWord_word_userId_idx" ON "UserWord"("word", "userId");

-- CreateIndex
CREATE INDEX "UserWord_organizationId_word_userId_idx" ON "UserWord"("organizationId", "word", "userId");

-- CreateIndex
CREATE INDEX "PersonalAccessToken_userId_id_idx" ON "PersonalAccessToken"("userId", "id");

-- CreateIndex
CREATE INDEX "Membership_level_levelId_userId_idx" ON "Membership"("level", "levelId", "userId");

-- CreateIndex
CREATE INDEX "Organization_nameKey_id_idx" ON "Organization"("nameKey", "id");

-- CreateIndex
CREATE INDEX "User_userNameKey_id_idx" ON "User"("userNameKey", "id");

-- CreateIndex
CREATE INDEX "User_emailKey_id_idx" ON "User"("emailKey", "id");

-- CreateIndex
CREATE INDEX "User_organizationId_emailKey_id_idx" ON "User"("organizationId", "emailKey", "id");

-- CreateIndex
CREATE INDEX "User_displayNameKey_id_idx" ON "User"("displayNameKey", "id");

-- CreateIndex
CREATE INDEX "User_organizationId_displayNameKey_id_idx" ON "User"("organizationId", "displayNameKey", "id");

-- CreateIndex
CREATE INDEX "User_kind_state_id_idx" ON "User"("kind", "state", "id");

-- CreateIndex
CREATE INDEX "User_organizationId_kind_state_id_idx" ON "User"("organizationId", "kind", "state", "id");

-- AddForeignKey
ALTER TABLE "UserWord" ADD CONSTRAINT "UserWord_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PersonalAccessToken" ADD CONSTRAINT "PersonalAccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
