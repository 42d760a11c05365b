-- AlterTable
ALTER TABLE "Project" ADD COLUMN "rolesClaim" TEXT;
ALTER TABLE "Project" ADD COLUMN "scopes" JSONB;
