-- CreateIndex
CREATE INDEX "SignInAttempt_clientId_reason_createdAt_idx" ON "SignInAttempt"("clientId", "reason", "createdAt");
