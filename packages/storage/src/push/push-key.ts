/**
 * The key by which push services know this kernel (VAPID, RFC 8292): made once, for its eyes alone. Browsers are bound
 * to it, so it goes where the subscriptions go: a backup has it too.
 */
import { createECDH } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../database/store-error.ts';

/** Its name in the data directory, and in an archive. */
export const PUSH_KEY = 'push-key.json';

/** Both in base64url: an uncompressed point of P-256, and its number. */
export interface PushKeyPair {
  public_key: string;
  private_key: string;
}

/** Reads the key, or makes it. @throws StoreError where the file holds none */
export function openPushKey(data_dir: string): PushKeyPair {
  const path = join(data_dir, PUSH_KEY);
  const text = readPushKey(data_dir);
  if (text !== undefined) return pairIn(text, path);
  const pair = newPair();
  writePushKey(data_dir, `${JSON.stringify(pair)}\n`);
  return pair;
}

/** Reads the key that several kernels share. @param text its JSON, as of `sharedPushKey` */
export const pushKeyIn = (text: string): PushKeyPair => pairIn(text, 'The key of all kernels');

/** The text of a key for several kernels: that of the first one, where it has one already. */
export const sharedPushKey = (data_dir: string): string => readPushKey(data_dir) ?? JSON.stringify(newPair());

/** The text of the file; undefined where there is none. */
export function readPushKey(data_dir: string): string | undefined {
  try {
    return readFileSync(join(data_dir, PUSH_KEY), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file is whole or not there. */
export function writePushKey(data_dir: string, text: string): void {
  const path = join(data_dir, PUSH_KEY);
  const file = openSync(`${path}.part`, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
}

function newPair(): PushKeyPair {
  const curve = createECDH('prime256v1');
  const public_key = curve.generateKeys('base64url');
  // A small number has leading zeros, which the curve leaves out.
  const private_key = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()]).subarray(-32);
  return { public_key, private_key: private_key.toString('base64url') };
}

/** No text of the file goes into the error: it may be most of a key. */
function pairIn(text: string, path: string): PushKeyPair {
  try {
    const { private_key } = JSON.parse(text) as PushKeyPair;
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(private_key, 'base64url');
    return { public_key: curve.getPublicKey('base64url'), private_key };
  } catch {
    throw new StoreError(
      `${path} holds no key: put it back out of a backup. Without the file a new key is made, and every browser has to subscribe again.`,
    );
  }
}
