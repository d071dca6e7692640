/** Defines the size limit and storage of files, images and books (FLEET-5). */
import { z } from 'zod';
import { secret } from './secret.ts';

/** All storage backends of files. Storage implements each of them. */
export const BYTE_PLACES = ['data_dir', 'postgres', 's3'] as const;
export type BytePlace = (typeof BYTE_PLACES)[number];

const S3Section = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .describe('URL of the server, without the bucket, such as https://s3.eu-central-1.amazonaws.com.'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of a bucket, such as chat-files')
    .describe('Name of an existing bucket.'),
  region: z.string().min(1).default('us-east-1').describe('Region for which requests are signed.'),
  access_key_id: secret(z.string().min(1))
    .nullable()
    .default(null)
    .describe('Null = the environment variable AWS_ACCESS_KEY_ID.'),
  secret_access_key: secret(z.string().min(1))
    .nullable()
    .default(null)
    .describe('Null = the environment variable AWS_SECRET_ACCESS_KEY.'),
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*$/, 'expected an empty string, or folders ending with /, such as kernel/')
    .default('')
    .describe('Prefix of all object names, such as kernel/.'),
});

const StoreSection = z
  .strictObject({
    in: z
      .enum(BYTE_PLACES)
      .nullable()
      .default(null)
      .describe(
        'Storage of new files and images. To move existing ones, run `chat-kernel files move`. Null = s3 if it is set, otherwise postgres with database.url, otherwise data_dir.',
      ),
    s3: S3Section.nullable().default(null).describe('S3 or S3-compatible bucket.'),
  })
  .prefault({});

export const FilesSection = z
  .strictObject({
    max_bytes: z.int().positive().default(104_857_600).describe('Maximum size of an upload, in bytes.'),
    store: StoreSection,
  })
  .prefault({});
