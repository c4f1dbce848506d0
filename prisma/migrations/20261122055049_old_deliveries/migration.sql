-- CreateIndex
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries"("ended_at") WHERE (ended_at IS NOT NULL);
