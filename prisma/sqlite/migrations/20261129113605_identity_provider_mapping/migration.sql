-- AlterTable
ALTER TABLE "IdentityLink" ADD COLUMN "mappedRoles" JSONB;

-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN "mapping" JSONB;
