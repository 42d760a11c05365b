-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN "certificateExpiresAt" DATETIME;
