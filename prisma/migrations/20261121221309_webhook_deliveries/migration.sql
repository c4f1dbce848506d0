-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "run_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries"("due_at") WHERE ("status" = 'waiting');
