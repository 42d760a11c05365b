-- AlterTable
ALTER TABLE "AppSecret" ADD COLUMN     "expiresAt" TIMESTAMP(3),
ADD COLUMN     "remindedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "AppSecret_expiresAt_idx" ON "AppSecret"("expiresAt");
