-- AlterTable
ALTER TABLE "Instance" ADD COLUMN     "codeLifetimes" JSONB,
ADD COLUMN     "tokenLifetimes" JSONB;
