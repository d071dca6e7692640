/** Sends requests to S3 with timeouts and retries, and describes permanent failures in a sentence. */
import { retry } from '@chat-kernel/base';
import { KernelError } from '@chat-kernel/protocol';
import type { S3mini } from 's3mini';

/** A bucket of S3 or of a compatible server. */
export interface S3Place {
  /** Without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** Prefix of the name of each object. */
  prefix: string;
}

const MAX_ATTEMPTS = 4;
const PAUSES = { firstMs: 200, maxMs: 1000 };
/** Timeout of a request, its body included. */
const TIMEOUT_MS = 20_000;

export class S3Client {
  readonly place: S3Place;
  #opened: Promise<S3mini> | undefined;

  constructor(place: S3Place) {
    this.place = place;
  }

  /**
   * Runs a request, and retries it if that may help.
   * @throws KernelError storage_unavailable if S3 is unreachable or refuses it
   */
  async ask<Result>(request: (s3: S3mini) => Promise<Result>): Promise<Result> {
    const s3 = await this.#open();
    try {
      return await retry(() => request(s3), { pauses: PAUSES, maxAttempts: MAX_ATTEMPTS, isRetryable });
    } catch (error) {
      throw error instanceof NotThere ? error : this.#unavailable(error);
    }
  }

  /** Returns bytes of an object and its size; undefined if there is no such object. */
  async get(key: string, start: number, end: number): Promise<{ bytes: Buffer; size: number } | undefined> {
    try {
      return await this.ask(async s3 => {
        const response = await s3.getObjectRaw(key, false, start, end + 1).catch(unlessMissing);
        const bytes = Buffer.from(await response.arrayBuffer());
        const size = Number(response.headers.get('content-range')?.split('/')[1]);
        if (response.status !== 206 || !Number.isSafeInteger(size))
          throw new Error('it answers a range with something else');
        return { bytes, size };
      });
    } catch (error) {
      if (error instanceof NotThere) return undefined;
      throw error;
    }
  }

  #open(): Promise<S3mini> {
    const { endpoint, bucket, region, access_key_id, secret_access_key } = this.place;
    // Loaded lazily, because most kernels do not use S3.
    this.#opened ??= import('s3mini').then(
      ({ S3mini }) =>
        new S3mini({
          endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
          region,
          accessKeyId: access_key_id,
          secretAccessKey: secret_access_key,
          requestAbortTimeout: TIMEOUT_MS,
        }),
    );
    return this.#opened;
  }

  #unavailable(cause: unknown): KernelError {
    const { host } = new URL(this.place.endpoint);
    const where = `S3 at ${host}, bucket ${this.place.bucket},`;
    return new KernelError(
      'storage_unavailable',
      `The kernel cannot reach its files now: ${where} ${describeError(cause)}.`,
      {
        cause,
      },
    );
  }
}

class NotThere extends Error {}

const errorStatus = (error: unknown): number | undefined => (error as { status?: number }).status;

function unlessMissing(error: unknown): never {
  // A missing bucket is a mistake in the settings, not a missing file.
  const { body = '' } = error as { body?: string };
  if (errorStatus(error) === 404 && !body.includes('NoSuchBucket')) throw new NotThere();
  throw error;
}

/** True for server errors, rate limits, and network failures. */
function isRetryable(error: unknown): boolean {
  if (error instanceof NotThere) return false;
  const status = errorStatus(error);
  return status === undefined || status === 408 || status === 429 || status >= 500;
}

function describeError(error: unknown): string {
  const status = errorStatus(error);
  if (status === undefined) {
    const { name, code, cause, message } = error as NodeJS.ErrnoException & { cause?: { code?: string } };
    if (name === 'TimeoutError') return `did not answer within ${TIMEOUT_MS / 1000} s`;
    const known = code ?? cause?.code;
    return known === undefined ? `does not answer as it should (${message})` : `does not answer (${known})`;
  }
  const { serviceCode, body = '' } = error as { serviceCode?: string; body?: string };
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? serviceCode;
  return `answered ${status}${code === undefined || code === 'Unknown' ? '' : ` (${code})`}`;
}
