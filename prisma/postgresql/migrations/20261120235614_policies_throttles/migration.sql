-- AlterTable
ALTER TABLE "User" ADD COLUMN     "passwordChangeRequired" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "Policy" (
    "ownerId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Policy_pkey" PRIMARY KEY ("ownerId","kind")
);

-- CreateTable
CREATE TABLE "Throttle" (
    "id" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "blockedUntil" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Throttle_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Throttle_expiresAt_idx" ON "Throttle"("expiresAt");
