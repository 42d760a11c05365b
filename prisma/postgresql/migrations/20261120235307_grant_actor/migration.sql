-- AlterTable
ALTER TABLE "Grant" ADD COLUMN     "actor" TEXT,
ADD COLUMN     "actorSessionId" TEXT,
ADD COLUMN     "actorUserId" TEXT,
ADD COLUMN     "parentId" TEXT;

-- CreateIndex
CREATE INDEX "Grant_parentId_idx" ON "Grant"("parentId");
