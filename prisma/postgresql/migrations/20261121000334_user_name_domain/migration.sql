-- AlterTable
ALTER TABLE "User" ADD COLUMN     "userNameDomain" TEXT;

-- CreateIndex
CREATE INDEX "User_userNameDomain_idx" ON "User"("userNameDomain");

-- The part after the last @.
UPDATE "User" SET "userNameDomain" = substring("userNameKey" from '[^@]*$') WHERE "userNameKey" LIKE '%@%';
