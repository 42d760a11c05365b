-- AlterTable
ALTER TABLE "App" ADD COLUMN     "isTrusted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mayManage" BOOLEAN NOT NULL DEFAULT false;
