/** Selects the configured backend of files and images (FLEET-5). */
import type { Settings } from '@chat-kernel/protocol';
import type { BytesSetting } from '@chat-kernel/storage';
import type { Complaint } from './expectation.ts';
import type { EnvironmentVariables } from './overrides.ts';
import { SettingsError } from './settings-error.ts';

/** Of the cache of each kernel for files in Postgres or S3, in data_dir/cache. */
const CACHE_BYTES = 1024 ** 3;

type Wanted = Pick<Settings, 'files' | 'database'>;

/** Backend of new files. */
const selectLocation = ({ files: { store }, database }: Wanted): BytesSetting['store'] =>
  store.in ?? (store.s3 !== null ? 's3' : database.url === null ? 'data_dir' : 'postgres');

/** Returns an error for each setting that is invalid or depends on a missing one. */
export function checkBytes(settings: Wanted): Complaint[] {
  const { files, database } = settings;
  const path = ['files', 'store'];
  const place = selectLocation(settings);
  if (place === 's3' && files.store.s3 === null)
    return [{ path: [...path, 'in'], sentence: 'expected files.store.s3 with the bucket to be set as well' }];
  if (place !== 'data_dir' && database.url === null) {
    const sentence = 'expected database.url to be set as well: with SQLite, files and images are in data_dir';
    return [{ path: [...path, files.store.in === null ? 's3' : 'in'], sentence }];
  }
  const endpoint = files.store.s3 && new URL(files.store.s3.endpoint);
  if (endpoint && (endpoint.username !== '' || endpoint.password !== ''))
    return [
      {
        path: [...path, 's3', 'endpoint'],
        sentence: 'expected no login in the address; use access_key_id',
      },
    ];
  return [];
}

/** @throws SettingsError if S3 is configured without a key */
export function bytesSetting(settings: Wanted, environment: EnvironmentVariables): BytesSetting {
  const { s3 } = settings.files.store;
  const cache_bytes = CACHE_BYTES;
  const store = selectLocation(settings);
  if (s3 === null) return { store, s3, cache_bytes };
  const access_key_id = s3.access_key_id ?? environment.AWS_ACCESS_KEY_ID;
  const secret_access_key = s3.secret_access_key ?? environment.AWS_SECRET_ACCESS_KEY;
  const missing = (name: string, variable: string) =>
    new SettingsError([`files.store.s3.${name}: missing; set it, or the variable ${variable}`]);
  if (!access_key_id) throw missing('access_key_id', 'AWS_ACCESS_KEY_ID');
  if (!secret_access_key) throw missing('secret_access_key', 'AWS_SECRET_ACCESS_KEY');
  return { store, s3: { ...s3, access_key_id, secret_access_key }, cache_bytes };
}
