-- AlterTable
ALTER TABLE "ProjectRole" ADD COLUMN     "changedAt" TIMESTAMP(3);
