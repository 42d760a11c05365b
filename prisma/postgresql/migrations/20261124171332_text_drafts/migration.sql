-- CreateTable
CREATE TABLE "TextDraft" (
    "id" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "base" JSONB NOT NULL,
    "sequence" INTEGER NOT NULL,
    "authorId" TEXT NOT NULL,
    "rejectedBy" TEXT,
    "comment" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "TextDraft_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "TextDraft_ownerId_type_language_key" ON "TextDraft"("ownerId", "type", "language");
