-- AlterTable
ALTER TABLE "User" ADD COLUMN "clientId" TEXT;
