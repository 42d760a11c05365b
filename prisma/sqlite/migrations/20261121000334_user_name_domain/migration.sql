-- AlterTable
ALTER TABLE "User" ADD COLUMN "userNameDomain" TEXT;

-- CreateIndex
CREATE INDEX "User_userNameDomain_idx" ON "User"("userNameDomain");

-- The part after the last @: what rtrim leaves when it may take everything but @.
UPDATE "User" SET "userNameDomain" = substr("userNameKey", length(rtrim("userNameKey", replace("userNameKey", '@', ''))) + 1)
 WHERE "userNameKey" LIKE '%@%';
