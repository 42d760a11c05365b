-- AlterTable
ALTER TABLE "ProjectRole" ADD COLUMN "changedAt" DATETIME;
