-- CreateTable
CREATE TABLE "PushedRequest" (
    "id" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "openedAt" TIMESTAMP(3),
    "consumedAt" TIMESTAMP(3),

    CONSTRAINT "PushedRequest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");
