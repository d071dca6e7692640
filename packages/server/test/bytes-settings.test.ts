/** The settings that say where bytes lie: what goes together, whose keys count, and that nobody sees them. */
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { bytesSetting, checkBytes } from '../src/settings/bytes.ts';
import { redact } from '../src/settings/redact.ts';
import { secretsOf } from '../src/settings/secrets.ts';

const POSTGRES = { url: 'postgres://u@db/x' };
const S3 = { endpoint: 'https://s3.example.org', bucket: 'chat-files' };
const KEYS = { AWS_ACCESS_KEY_ID: 'id of the environment', AWS_SECRET_ACCESS_KEY: 'key of the environment' };

const placeOf = (tree: object) => bytesSetting(Settings.parse(tree), KEYS).store;
const complaintsOf = (tree: object) =>
  checkBytes(Settings.parse(tree)).map(({ path, sentence }) => `${path.join('.')}: ${sentence}`);

test('[FLEET-5] the database and S3 say where bytes lie, unless the settings do', () => {
  expect(placeOf({})).toBe('data_dir');
  expect(placeOf({ database: POSTGRES })).toBe('postgres');
  expect(placeOf({ database: POSTGRES, files: { store: { s3: S3 } } })).toBe('s3');
  for (const place of ['data_dir', 'postgres', 's3'])
    expect(placeOf({ database: POSTGRES, files: { store: { in: place, s3: S3 } } })).toBe(place);
});

test('[FLEET-5] what does not go together is refused with what helps', () => {
  expect(complaintsOf({ files: { store: { in: 'postgres' } } })).toEqual([
    'files.store.in: expected database.url beside it: with SQLite, files and images lie in data_dir',
  ]);
  expect(complaintsOf({ files: { store: { s3: S3 } } })).toEqual([
    'files.store.s3: expected database.url beside it: with SQLite, files and images lie in data_dir',
  ]);
  expect(complaintsOf({ database: POSTGRES, files: { store: { in: 's3' } } })).toEqual([
    'files.store.in: expected files.store.s3 beside it, which names the bucket',
  ]);
  const login = { ...S3, endpoint: 'https://me:hush@s3.example.org' };
  expect(complaintsOf({ database: POSTGRES, files: { store: { s3: login } } })).toEqual([
    'files.store.s3.endpoint: expected no login in the address: put it into access_key_id',
  ]);
});

test('[FLEET-5] [API-7] keys of S3 come from the settings or the environment, and are shown nowhere', () => {
  const own = { ...S3, access_key_id: 'hush hush id', secret_access_key: 'hush hush key' };
  const settings = Settings.parse({ database: POSTGRES, files: { store: { s3: own } } });
  expect(bytesSetting(settings, KEYS).s3).toMatchObject(own);
  expect(JSON.stringify(redact(settings))).not.toContain('hush');
  expect(secretsOf(settings, {})).toEqual(expect.arrayContaining(['hush hush id', 'hush hush key']));
  const none = Settings.parse({ database: POSTGRES, files: { store: { s3: S3 } } });
  expect(bytesSetting(none, KEYS).s3).toMatchObject({
    access_key_id: 'id of the environment',
    secret_access_key: 'key of the environment',
  });
  expect(() => bytesSetting(none, {})).toThrow(
    expect.objectContaining({
      lines: ['files.store.s3.access_key_id: is missing; set it, or the variable AWS_ACCESS_KEY_ID'],
    }),
  );
});
