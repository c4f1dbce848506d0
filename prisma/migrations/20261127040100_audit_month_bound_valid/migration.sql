-- In a transaction of its own: events can be written while PostgreSQL reads the table.
ALTER TABLE audit_events VALIDATE CONSTRAINT audit_events_bound;
