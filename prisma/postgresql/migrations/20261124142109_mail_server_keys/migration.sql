-- AlterTable
ALTER TABLE "EmailProvider" ADD COLUMN     "sealedKeys" TEXT;
