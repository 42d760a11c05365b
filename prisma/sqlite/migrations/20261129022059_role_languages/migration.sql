-- AlterTable
ALTER TABLE "Membership" ADD COLUMN "languages" JSONB;
