-- sqlite
-- FTS5 merges eight segments at a time instead of four, so that it writes each row of the index less often. A search
-- reads every segment, so the hourly purge merges the remaining ones.
INSERT INTO cf_submission_search (cf_submission_search, rank) VALUES ('automerge', 8);
