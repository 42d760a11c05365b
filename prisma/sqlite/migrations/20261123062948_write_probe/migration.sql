-- AlterTable
ALTER TABLE "Instance" ADD COLUMN "baseUrl" TEXT;

-- CreateTable
CREATE TABLE "WriteProbe" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL
);
