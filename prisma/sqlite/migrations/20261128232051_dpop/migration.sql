-- AlterTable
ALTER TABLE "AccessToken" ADD COLUMN "jkt" TEXT;

-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "jkt" TEXT;
