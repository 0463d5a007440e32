-- Makes a ledger of version 10 of one of the current version, but for the sums of addresses, originals, photos, sites
-- and their files.
ALTER TABLE owned DROP COLUMN replaced;
ALTER TABLE owned DROP COLUMN publication;
ALTER TABLE site DROP COLUMN publication;
CREATE TABLE source_10 (
    number INTEGER PRIMARY KEY NOT NULL, key TEXT NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL, etag TEXT,
    last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER, retry_after INTEGER,
    retry_status INTEGER, fetched INTEGER, sum INTEGER NOT NULL, caching TEXT, refusal TEXT);
INSERT INTO source_10 SELECT rowid, key, sha256, bytes, etag, last_modified,
    CASE WHEN file_size IS NOT NULL
        THEN printf('%d %d %d %d', file_size, file_modified, file_changed, file_inode) END,
    validated, fresh_until, retry_after, retry_status, fetched, 0, caching, refusal FROM source;
DROP TABLE source;
ALTER TABLE source_10 RENAME TO source;
CREATE TABLE original_10 (
    number INTEGER PRIMARY KEY NOT NULL, sha256 TEXT NOT NULL, facts TEXT NOT NULL, sum INTEGER NOT NULL);
INSERT INTO original_10 SELECT rowid, sha256, json_patch('{}', json_object(
    'edition', edition, 'format', format, 'width', width, 'height', height,
    'hasTransparency', json(CASE has_transparency WHEN 1 THEN 'true' ELSE 'false' END),
    'taken', taken, 'camera', camera, 'lens', lens, 'exposure', exposure)), 0 FROM original;
DROP TABLE original;
ALTER TABLE original_10 RENAME TO original;
CREATE TABLE photo_10 (
    gallery TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, slug TEXT NOT NULL, state TEXT NOT NULL,
    code TEXT, reason TEXT, since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT, stale_reason TEXT,
    sha256 TEXT, pictures TEXT NOT NULL, attempts INTEGER NOT NULL, source TEXT, recipe INTEGER,
    back INTEGER, fetched INTEGER, sum INTEGER NOT NULL, checked INTEGER NOT NULL,
    PRIMARY KEY (gallery, number)) WITHOUT ROWID;
INSERT INTO photo_10 SELECT gallery, number, key, slug, state, code, reason, since, stale_since, stale_code,
    stale_reason, sha256, coalesce((SELECT group_concat(line, char(10)) FROM (
        SELECT file_name || ' ' || width || ' ' || height || ' ' || bytes || ' '
            || CASE unfiltered WHEN 1 THEN 'u' ELSE 'f' END || coalesce(' ' || colour, '') AS line
        FROM picture WHERE picture.gallery = photo.gallery AND picture.photo = photo.number
        ORDER BY position)), ''),
    attempts, source, recipe, back, fetched, 0, checked FROM photo;
DROP TABLE photo;
ALTER TABLE photo_10 RENAME TO photo;
DROP TABLE mark;
DELETE FROM total WHERE name = 'mark';
DROP TABLE version;
DELETE FROM total WHERE name = 'version';
DROP TABLE picture;
DELETE FROM total WHERE name = 'picture';
CREATE UNIQUE INDEX source_by_key ON source (key);
CREATE UNIQUE INDEX original_by_sha256 ON original (sha256);
CREATE UNIQUE INDEX photo_by_key ON photo (gallery, key);
PRAGMA user_version = 10;
