-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "rolesClaim" TEXT,
ADD COLUMN     "scopes" JSONB;
