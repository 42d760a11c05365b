-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "refreshAnswer" TEXT;

-- CreateTable
CREATE TABLE "GivenAnswers" (
    "process" TEXT NOT NULL PRIMARY KEY,
    "until" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "GivenAnswers_until_idx" ON "GivenAnswers"("until");
