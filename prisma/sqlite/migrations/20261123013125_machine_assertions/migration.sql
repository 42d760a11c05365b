-- AlterTable
ALTER TABLE "User" ADD COLUMN "jwksUri" TEXT;
ALTER TABLE "User" ADD COLUMN "legacyAssertionAudience" BOOLEAN NOT NULL DEFAULT false;
