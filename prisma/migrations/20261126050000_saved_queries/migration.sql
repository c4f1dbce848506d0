-- CreateTable
CREATE TABLE "saved_queries" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sql_text" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_queries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_queries_name" ON "saved_queries"("environment_id", "owner_id", "name");
