-- AlterTable
ALTER TABLE "group_members" ADD COLUMN     "identity_provider_id" UUID;

-- AlterTable
ALTER TABLE "principals" ADD COLUMN     "email" TEXT;

-- CreateTable
CREATE TABLE "identity_providers" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "key_id" TEXT,
    "sealed" BYTEA,
    "scopes" TEXT[],
    "link_by" TEXT NOT NULL,
    "create_people" BOOLEAN NOT NULL,
    "email_domains" TEXT[],
    "groups_claim" TEXT,
    "group_mapping" JSONB NOT NULL,
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,

    CONSTRAINT "identity_providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" UUID NOT NULL,
    "identity_provider_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "principal_id" UUID NOT NULL,
    "email" TEXT,
    "linked_at" TIMESTAMPTZ(3) NOT NULL,
    "linked_by" UUID,
    "last_sign_in_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "identity_providers_name_live" ON "identity_providers"("name") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "identities_subject_live" ON "identities"("identity_provider_id", "subject") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "identities_principal_live" ON "identities"("principal_id", "identity_provider_id") WHERE ("ended_at" IS NULL);

-- Old programs: they never write an address, and any number of principals can be without one.
-- CreateIndex
CREATE UNIQUE INDEX "principals_email_live" ON "principals"("email") WHERE ("deleted_at" IS NULL);
