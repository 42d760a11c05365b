-- CreateTable
CREATE TABLE "OrganizationMetadata" (
    "organizationId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "OrganizationMetadata_pkey" PRIMARY KEY ("organizationId","key")
);

-- AddForeignKey
ALTER TABLE "OrganizationMetadata" ADD CONSTRAINT "OrganizationMetadata_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
