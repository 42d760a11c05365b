-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "announcedEnd" TIMESTAMP(3),
ADD COLUMN     "secretExpiresAt" TIMESTAMP(3);
