-- CreateTable
CREATE TABLE "TextDraft" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "base" JSONB NOT NULL,
    "sequence" INTEGER NOT NULL,
    "authorId" TEXT NOT NULL,
    "rejectedBy" TEXT,
    "comment" TEXT,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "TextDraft_ownerId_type_language_key" ON "TextDraft"("ownerId", "type", "language");
