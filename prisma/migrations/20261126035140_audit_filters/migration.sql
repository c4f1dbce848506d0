-- CreateIndex
CREATE INDEX "audit_events_by_request" ON "audit_events"("request_id", "time" DESC, "id" DESC) WHERE ((sequence IS NOT NULL) AND (request_id IS NOT NULL));

-- A schema can't express an index on parts of JSON. The table comes last, so that one index lists a namespace in its order and finds
-- a table among the events of its namespace without reading them. Refused requests record names as long as a path can be, and an index
-- entry is limited to 2,704 bytes: it has the start of each name.
CREATE INDEX audit_events_by_object ON audit_events (environment_id, left(object ->> 'namespace', 256), "time" DESC, id DESC,
    left(object ->> 'table', 128))
  WHERE sequence IS NOT NULL AND (object ->> 'namespace') IS NOT NULL;
