-- CreateTable
CREATE TABLE "PasswordHook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "endpoint" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "changedBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "PasswordHook_id_fkey" FOREIGN KEY ("id") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
