-- AlterTable
ALTER TABLE "AppSecret" ADD COLUMN "expiresAt" DATETIME;
ALTER TABLE "AppSecret" ADD COLUMN "remindedAt" DATETIME;

-- CreateIndex
CREATE INDEX "AppSecret_expiresAt_idx" ON "AppSecret"("expiresAt");
