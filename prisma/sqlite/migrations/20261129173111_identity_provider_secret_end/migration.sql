-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN "announcedEnd" DATETIME;
ALTER TABLE "IdentityProvider" ADD COLUMN "secretExpiresAt" DATETIME;
