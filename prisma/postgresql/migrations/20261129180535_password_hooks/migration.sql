-- CreateTable
CREATE TABLE "PasswordHook" (
    "id" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "changedBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PasswordHook_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "PasswordHook" ADD CONSTRAINT "PasswordHook_id_fkey" FOREIGN KEY ("id") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
