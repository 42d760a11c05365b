-- AlterTable
ALTER TABLE "OutboxMessage" ADD COLUMN "answers" TEXT;
