-- CreateTable
CREATE TABLE "LoginText" (
    "ownerId" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "words" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LoginText_pkey" PRIMARY KEY ("ownerId","language")
);
