-- AlterTable
ALTER TABLE "writes" ADD COLUMN     "staged_parts" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "requested_by" UUID NOT NULL,
    "format" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "part_bytes" INTEGER NOT NULL,
    "fingerprint" TEXT,
    "write_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upload_parts" (
    "upload_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "location" TEXT NOT NULL,

    CONSTRAINT "upload_parts_pkey" PRIMARY KEY ("upload_id","number")
);

-- CreateIndex
CREATE INDEX "uploads_to_remove" ON "uploads"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_unfinished" ON "uploads"("table_id", "requested_by", "fingerprint", "format", "size_bytes") WHERE ("write_id" IS NULL);

-- CreateIndex
CREATE INDEX "upload_parts_by_location" ON "upload_parts"("location");
