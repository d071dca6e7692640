/** Where the settings want the bytes of files and images to lie (FLEET-5). */
import type { Settings } from '@chat-kernel/protocol';
import type { BytesSetting } from '@chat-kernel/storage';
import type { Complaint } from './expectation.ts';
import type { EnvironmentVariables } from './overrides.ts';
import { SettingsError } from './settings-error.ts';

type Wanted = Pick<Settings, 'files' | 'database'>;

/** The place that new bytes get. */
const placeOf = ({ files: { store }, database }: Wanted): BytesSetting['store'] =>
  store.in ?? (store.s3 !== null ? 's3' : database.url === null ? 'data_dir' : 'postgres');

/** Returns a complaint for each setting that can't be, and what each of them names that is not there. */
export function checkBytes(settings: Wanted): Complaint[] {
  const { files, database } = settings;
  const path = ['files', 'store'];
  const place = placeOf(settings);
  if (place === 's3' && files.store.s3 === null)
    return [{ path: [...path, 'in'], sentence: 'expected files.store.s3 beside it, which names the bucket' }];
  if (place !== 'data_dir' && database.url === null) {
    const sentence = 'expected database.url beside it: with SQLite, files and images lie in data_dir';
    return [{ path: [...path, files.store.in === null ? 's3' : 'in'], sentence }];
  }
  const endpoint = files.store.s3 && new URL(files.store.s3.endpoint);
  if (endpoint && (endpoint.username !== '' || endpoint.password !== ''))
    return [
      {
        path: [...path, 's3', 'endpoint'],
        sentence: 'expected no login in the address: put it into access_key_id',
      },
    ];
  return [];
}

/** @throws SettingsError where S3 is named, and no key for it */
export function bytesSetting(settings: Wanted, environment: EnvironmentVariables): BytesSetting {
  const { s3 } = settings.files.store;
  const { cache_bytes } = settings.files;
  const store = placeOf(settings);
  if (s3 === null) return { store, s3, cache_bytes };
  const access_key_id = s3.access_key_id ?? environment.AWS_ACCESS_KEY_ID;
  const secret_access_key = s3.secret_access_key ?? environment.AWS_SECRET_ACCESS_KEY;
  const missing = (name: string, variable: string) =>
    new SettingsError([`files.store.s3.${name}: is missing; set it, or the variable ${variable}`]);
  if (!access_key_id) throw missing('access_key_id', 'AWS_ACCESS_KEY_ID');
  if (!secret_access_key) throw missing('secret_access_key', 'AWS_SECRET_ACCESS_KEY');
  return { store, s3: { ...s3, access_key_id, secret_access_key }, cache_bytes };
}
