-- CreateTable
CREATE TABLE "package_indexes" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "credential_secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,

    CONSTRAINT "package_indexes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secrets" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "facts" JSONB NOT NULL,
    "use" TEXT,
    "package_index_id" UUID,
    "repository_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "rotated_at" TIMESTAMPTZ(3),
    "rotated_by" UUID,
    "bound_at" TIMESTAMPTZ(3),
    "bound_by" UUID,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" UUID,

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "package_indexes_name_live" ON "package_indexes"("name") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "package_indexes_url_live" ON "package_indexes"("url") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE INDEX "secrets_named" ON "secrets"("name") WHERE ("revoked_at" IS NULL);

-- CreateIndex
CREATE INDEX "secrets_of_index" ON "secrets"("package_index_id") WHERE ("revoked_at" IS NULL);

-- CreateIndex
CREATE INDEX "secrets_of_repository" ON "secrets"("repository_id") WHERE ("revoked_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "secrets_name_live" ON "secrets"("environment_id", "name") WHERE ("revoked_at" IS NULL);

-- A secret serves one use, and what it serves is named exactly when the use says so.
ALTER TABLE "secrets"
  ADD CONSTRAINT "secrets_use" CHECK ("use" IN ('package-index', 'repository', 'environment')),
  ADD CONSTRAINT "secrets_one_use" CHECK (
    ("package_index_id" IS NOT NULL) = (COALESCE("use", '') = 'package-index')
    AND ("repository_id" IS NOT NULL) = (COALESCE("use", '') = 'repository'));
