-- CreateIndex
CREATE INDEX "AppKey_expiresAt_idx" ON "AppKey"("expiresAt");

-- CreateIndex
CREATE INDEX "MachineKey_expiresAt_idx" ON "MachineKey"("expiresAt");
