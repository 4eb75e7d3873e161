-- Wassay's database and its two roles: `wassay_owner` migrates, `wassay` serves. For psql, once, as a superuser;
-- SECRETS names the folder with the roles' passwords.
\set ON_ERROR_STOP 1
\set owner_password `cat "${SECRETS:-/run/secrets}/database-owner-password"`
\set password `cat "${SECRETS:-/run/secrets}/database-password"`

CREATE ROLE wassay_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE wassay LOGIN PASSWORD :'password';
CREATE DATABASE wassay OWNER wassay_owner;
REVOKE ALL ON DATABASE wassay FROM PUBLIC;
GRANT CONNECT ON DATABASE wassay TO wassay;
-- What the service may do with the tables, `wassay migrate --grant-to wassay` says.
