-- Old programs: they don't read the search texts, and the triggers write them when old programs change tables.
-- CreateTable
CREATE TABLE "table_search_texts" (
    "table_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "table_search_texts_pkey" PRIMARY KEY ("table_id")
);

-- CreateIndex
CREATE INDEX "table_search_texts_of_environment" ON "table_search_texts"("environment_id");

-- A line break separates names and descriptions, so that no word matches across them.
CREATE FUNCTION table_search_text(namespace_id uuid, name text, description text, columns jsonb) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN lower(concat_ws(E'\n', (SELECT n.path FROM namespaces n WHERE n.id = namespace_id) || '.' || name, description,
    (SELECT string_agg(concat_ws(E'\n', c.name, c.description), E'\n' ORDER BY c.position)
     FROM ROWS FROM (jsonb_to_recordset(columns) AS (name text, description text)) WITH ORDINALITY
       AS c(name, description, position))));
END $$;

CREATE FUNCTION tables_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.dropped_at IS NOT NULL THEN
    DELETE FROM table_search_texts WHERE table_id = NEW.id;
  ELSE
    INSERT INTO table_search_texts (table_id, environment_id, text)
    VALUES (NEW.id, NEW.environment_id, table_search_text(NEW.namespace_id, NEW.name, NEW.description, NEW.columns))
    ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER tables_search_insert AFTER INSERT ON tables FOR EACH ROW EXECUTE FUNCTION tables_search();
-- Most commits change neither names nor descriptions.
CREATE TRIGGER tables_search_update AFTER UPDATE ON tables FOR EACH ROW
  WHEN (OLD.namespace_id IS DISTINCT FROM NEW.namespace_id OR OLD.name IS DISTINCT FROM NEW.name
    OR OLD.description IS DISTINCT FROM NEW.description OR OLD.columns IS DISTINCT FROM NEW.columns
    OR OLD.dropped_at IS DISTINCT FROM NEW.dropped_at)
  EXECUTE FUNCTION tables_search();

INSERT INTO table_search_texts (table_id, environment_id, text)
SELECT t.id, t.environment_id, table_search_text(t.namespace_id, t.name, t.description, t.columns)
FROM tables t WHERE t.dropped_at IS NULL;
