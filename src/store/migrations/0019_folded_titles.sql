-- The titles of forms in lower case and without accents, for searches. Existing titles are folded after the migrations.
ALTER TABLE cf_forms ADD COLUMN folded_title TEXT;
