-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "certificateExpiresAt" TIMESTAMP(3);
