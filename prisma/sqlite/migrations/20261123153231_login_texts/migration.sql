-- CreateTable
CREATE TABLE "LoginText" (
    "ownerId" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "words" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,

    PRIMARY KEY ("ownerId", "language")
);
