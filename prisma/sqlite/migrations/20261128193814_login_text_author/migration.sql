-- AlterTable
ALTER TABLE "LoginText" ADD COLUMN "changedBy" TEXT;
