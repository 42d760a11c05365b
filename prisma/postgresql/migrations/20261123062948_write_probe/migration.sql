-- AlterTable
ALTER TABLE "Instance" ADD COLUMN     "baseUrl" TEXT;

-- CreateTable
CREATE TABLE "WriteProbe" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "WriteProbe_pkey" PRIMARY KEY ("id")
);
