-- AlterTable
ALTER TABLE "audit_head" ADD COLUMN     "key_id" TEXT,
ADD COLUMN     "mac" BYTEA,
ADD COLUMN     "signed_hash" BYTEA,
ADD COLUMN     "signed_sequence" BIGINT,
ADD COLUMN     "signed_since" TIMESTAMPTZ(3),
ADD COLUMN     "signed_since_sequence" BIGINT;
