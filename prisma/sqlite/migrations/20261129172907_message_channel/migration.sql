-- AlterTable
ALTER TABLE "OutboxMessage" ADD COLUMN "channel" TEXT;
