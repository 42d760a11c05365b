-- AlterTable
ALTER TABLE "Grant" ADD COLUMN     "refreshAnswer" TEXT;

-- CreateTable
CREATE TABLE "GivenAnswers" (
    "process" TEXT NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "GivenAnswers_pkey" PRIMARY KEY ("process")
);

-- CreateIndex
CREATE INDEX "GivenAnswers_until_idx" ON "GivenAnswers"("until");
