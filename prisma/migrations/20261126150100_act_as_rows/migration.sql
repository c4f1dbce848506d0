-- In a transaction of its own, so that authorizations don't wait for it: the lock lets rows be read and written.
ALTER TABLE grants VALIDATE CONSTRAINT grants_object;
ALTER TABLE grants VALIDATE CONSTRAINT grants_object_id;
