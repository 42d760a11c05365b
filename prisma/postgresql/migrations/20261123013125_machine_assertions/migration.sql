-- AlterTable
ALTER TABLE "User" ADD COLUMN     "jwksUri" TEXT,
ADD COLUMN     "legacyAssertionAudience" BOOLEAN NOT NULL DEFAULT false;
