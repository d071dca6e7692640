/** A real S3 server (s3rver) behind a signature check and a network that a test can cut. */
import { readdirSync } from 'node:fs';
import S3rver from 's3rver';
import { type CutProxy, startCutProxy } from './cut-proxy.ts';
import { temporaryDirectory } from './directory.ts';
import { startSignatureGuard } from './s3-signatures.ts';

/** The only account that s3rver knows. */
const ACCOUNT = 'S3RVER';
const BUCKET = 'chat-files';

export interface TestS3 {
  /** In the form of `files.store.s3`. */
  settings: {
    endpoint: string;
    bucket: string;
    region: string;
    access_key_id: string;
    secret_access_key: string;
    prefix: string;
  };
  network: CutProxy;
  /** The names of all objects, including those whose upload has not completed. */
  objects(): string[];
  stop(): Promise<void>;
}

export async function startS3(): Promise<TestS3> {
  const directory = temporaryDirectory();
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: directory.path,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const account = { accessKeyId: ACCOUNT, secretAccessKey: ACCOUNT };
  const guard = await startSignatureGuard(`http://127.0.0.1:${port}`, account);
  const network = await startCutProxy(guard.url);
  return {
    settings: {
      endpoint: network.url,
      bucket: BUCKET,
      region: 'us-east-1',
      access_key_id: ACCOUNT,
      secret_access_key: ACCOUNT,
      prefix: 'kernel/',
    },
    network,
    objects: () =>
      readdirSync(`${directory.path}/${BUCKET}`, { recursive: true, encoding: 'utf8' })
        .filter(name => /\._S3rver_object$/.test(name))
        .map(name => name.replace(/\._S3rver_object$/, ''))
        .sort(),
    async stop() {
      await network.close();
      await guard.close();
      await server.close();
      directory.remove();
    },
  };
}
