-- AlterTable
ALTER TABLE "LoginText" ADD COLUMN "replaced" JSONB;

-- AlterTable
ALTER TABLE "MessageText" ADD COLUMN "replaced" JSONB;
