-- What the titles of forms are searched by: in lower case, without accents. The titles that are there are folded after
-- the migrations.
ALTER TABLE cf_forms ADD COLUMN folded_title TEXT;
