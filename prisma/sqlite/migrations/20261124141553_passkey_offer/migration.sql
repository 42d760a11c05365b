-- AlterTable
ALTER TABLE "User" ADD COLUMN "noPasskeyOfferSince" DATETIME;
