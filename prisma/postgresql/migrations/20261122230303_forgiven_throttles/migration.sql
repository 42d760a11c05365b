-- AlterTable
ALTER TABLE "Throttle" ADD COLUMN     "subject" TEXT;

-- CreateIndex
CREATE INDEX "Throttle_subject_idx" ON "Throttle"("subject");
