-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "privateLabelingSetting" TEXT;
