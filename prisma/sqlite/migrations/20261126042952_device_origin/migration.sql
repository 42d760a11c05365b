-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN "address" TEXT;
ALTER TABLE "DeviceAuthorization" ADD COLUMN "device" TEXT;
