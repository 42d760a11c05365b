-- AlterTable
ALTER TABLE "Instance" ADD COLUMN "codeLifetimes" JSONB;
ALTER TABLE "Instance" ADD COLUMN "tokenLifetimes" JSONB;
