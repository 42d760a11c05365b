-- AlterTable
ALTER TABLE "User" ADD COLUMN     "noPasskeyOfferSince" TIMESTAMP(3);
