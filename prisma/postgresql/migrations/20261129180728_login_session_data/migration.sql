-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "clientData" TEXT,
ADD COLUMN     "creatorId" TEXT,
ADD COLUMN     "fingerprintId" TEXT;
