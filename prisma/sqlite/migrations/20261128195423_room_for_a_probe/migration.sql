-- AlterTable
ALTER TABLE "WriteProbe" ADD COLUMN "content" TEXT;
