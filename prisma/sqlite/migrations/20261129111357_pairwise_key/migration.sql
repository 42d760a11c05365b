-- AlterTable
ALTER TABLE "Instance" ADD COLUMN "pairwiseKey" TEXT;
