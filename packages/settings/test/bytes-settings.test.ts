/** Tests the settings of byte storage: valid combinations, which credentials apply, and that they stay secret. */
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { bytesSetting, checkBytes } from '../src/bytes.ts';
import { redact } from '../src/redact.ts';
import { collectSecrets } from '../src/secrets.ts';

const POSTGRES = { url: 'postgres://u@db/x' };
const S3 = { endpoint: 'https://s3.example.org', bucket: 'chat-files' };
const KEYS = { AWS_ACCESS_KEY_ID: 'id of the environment', AWS_SECRET_ACCESS_KEY: 'key of the environment' };

const placeOf = (tree: object) => bytesSetting(Settings.parse(tree), KEYS).store;
const complaintsOf = (tree: object) =>
  checkBytes(Settings.parse(tree)).map(({ path, sentence }) => `${path.join('.')}: ${sentence}`);

test('[FLEET-5] derives the location of bytes from the database and S3, unless it is set', () => {
  expect(placeOf({})).toBe('data_dir');
  expect(placeOf({ database: POSTGRES })).toBe('postgres');
  expect(placeOf({ database: POSTGRES, files: { store: { s3: S3 } } })).toBe('s3');
  for (const place of ['data_dir', 'postgres', 's3'])
    expect(placeOf({ database: POSTGRES, files: { store: { in: place, s3: S3 } } })).toBe(place);
});

test('[FLEET-5] rejects contradictory settings with a hint', () => {
  expect(complaintsOf({ database: POSTGRES, files: { store: { s3: S3 } } })).toEqual([]);
  expect(complaintsOf({ files: { store: { in: 'postgres' } } })).toEqual([
    'files.store.in: expected database.url to be set as well: with SQLite, files and images are in data_dir',
  ]);
  expect(complaintsOf({ files: { store: { s3: S3 } } })).toEqual([
    'files.store.s3: expected database.url to be set as well: with SQLite, files and images are in data_dir',
  ]);
  expect(complaintsOf({ database: POSTGRES, files: { store: { in: 's3' } } })).toEqual([
    'files.store.in: expected files.store.s3 with the bucket to be set as well',
  ]);
  for (const login of ['me:hush', 'me', ':hush']) {
    const s3 = { ...S3, endpoint: `https://${login}@s3.example.org` };
    expect(complaintsOf({ database: POSTGRES, files: { store: { s3 } } })).toEqual([
      'files.store.s3.endpoint: expected no login in the address; use access_key_id',
    ]);
  }
});

test('[FLEET-5] [API-7] reads keys of S3 from the settings or the environment, and never shows them', () => {
  const own = { ...S3, access_key_id: 'hush hush id', secret_access_key: 'hush hush key' };
  const settings = Settings.parse({ database: POSTGRES, files: { store: { s3: own } } });
  expect(bytesSetting(settings, KEYS).s3).toMatchObject(own);
  expect(JSON.stringify(redact(settings))).not.toContain('hush');
  expect(collectSecrets(settings, {})).toEqual(expect.arrayContaining(['hush hush id', 'hush hush key']));
  const none = Settings.parse({ database: POSTGRES, files: { store: { s3: S3 } } });
  expect(bytesSetting(none, KEYS).s3).toMatchObject({
    access_key_id: 'id of the environment',
    secret_access_key: 'key of the environment',
  });
  expect(() => bytesSetting(none, {})).toThrow(
    expect.objectContaining({
      lines: ['files.store.s3.access_key_id: missing; set it, or the variable AWS_ACCESS_KEY_ID'],
    }),
  );
});
