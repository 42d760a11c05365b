-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN     "address" TEXT,
ADD COLUMN     "device" TEXT;
