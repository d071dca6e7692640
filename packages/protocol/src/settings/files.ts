/** Uploaded files, images and books: how large they may be, and where their bytes lie (FLEET-5). */
import { z } from 'zod';
import { secret } from './secret.ts';

/** THE list of places where bytes may lie. Storage has each of them. */
export const BYTE_PLACES = ['data_dir', 'postgres', 's3'] as const;
export type BytePlace = (typeof BYTE_PLACES)[number];

const S3Section = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .describe('Address of the server, without the bucket, such as https://s3.eu-central-1.amazonaws.com.'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of a bucket, such as chat-files')
    .describe('The bucket, which has to be there.'),
  region: z.string().min(1).default('us-east-1').describe('Region that requests are signed for.'),
  access_key_id: secret(z.string().min(1))
    .nullable()
    .default(null)
    .describe('Null = the variable AWS_ACCESS_KEY_ID.'),
  secret_access_key: secret(z.string().min(1))
    .nullable()
    .default(null)
    .describe('Null = the variable AWS_SECRET_ACCESS_KEY.'),
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*$/, 'expected an empty text, or folders that end with /, such as kernel/')
    .default('')
    .describe('Stands before the name of each object, such as kernel/.'),
});

const StoreSection = z
  .strictObject({
    in: z
      .enum(BYTE_PLACES)
      .nullable()
      .default(null)
      .describe(
        'Where the bytes of new files and images lie; older ones stay where they are until `chat-kernel files move`. Null = s3 where that is set, else postgres with database.url, else data_dir.',
      ),
    s3: S3Section.nullable().default(null).describe('A bucket of S3, or of a server that speaks as it does.'),
  })
  .prefault({});

export const FilesSection = z
  .strictObject({
    max_bytes: z.int().positive().default(104_857_600).describe('Largest upload.'),
    store: StoreSection,
    cache_bytes: z
      .int()
      .min(0)
      .default(1_073_741_824)
      .describe('Most bytes in data_dir/cache of what lies in Postgres or S3; 0 = none.'),
  })
  .prefault({});
