-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "actor" TEXT;
ALTER TABLE "Grant" ADD COLUMN "actorSessionId" TEXT;
ALTER TABLE "Grant" ADD COLUMN "actorUserId" TEXT;
ALTER TABLE "Grant" ADD COLUMN "parentId" TEXT;

-- CreateIndex
CREATE INDEX "Grant_parentId_idx" ON "Grant"("parentId");
