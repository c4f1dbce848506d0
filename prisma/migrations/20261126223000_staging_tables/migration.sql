-- CreateTable
CREATE TABLE "staging_tables" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "principal_id" UUID NOT NULL,
    "location" TEXT NOT NULL,
    "metadata_location" TEXT NOT NULL,
    "is_written" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staging_tables_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "staging_tables_to_remove" ON "staging_tables"("expires_at");
