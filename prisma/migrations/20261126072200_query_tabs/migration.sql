-- CreateTable
CREATE TABLE "query_tabs" (
    "environment_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "title" TEXT,
    "sql_text" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "query_id" UUID,
    "saved_query_id" UUID,
    "chart" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "query_tabs_pkey" PRIMARY KEY ("environment_id","owner_id","id")
);
