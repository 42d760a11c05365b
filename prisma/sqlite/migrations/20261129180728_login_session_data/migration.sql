-- AlterTable
ALTER TABLE "Session" ADD COLUMN "clientData" TEXT;
ALTER TABLE "Session" ADD COLUMN "creatorId" TEXT;
ALTER TABLE "Session" ADD COLUMN "fingerprintId" TEXT;
