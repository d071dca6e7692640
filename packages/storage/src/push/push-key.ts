/**
 * The key that identifies this kernel to push services (VAPID, RFC 8292): created once, and private. Browsers are bound
 * to it, so it must stay with the subscriptions: a backup contains it too.
 */
import { createECDH } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../database/store-error.ts';

/** Its file name in the data directory and in an archive. */
export const PUSH_KEY = 'push-key.json';

/** Both in base64url: an uncompressed point of P-256, and its private number. */
export interface PushKeyPair {
  public_key: string;
  private_key: string;
}

/** Reads the key, or creates it. @throws StoreError if the file does not contain a key */
export function openPushKey(data_dir: string): PushKeyPair {
  const path = join(data_dir, PUSH_KEY);
  const text = readPushKey(data_dir);
  if (text !== undefined) return pairIn(text, path);
  const pair = newPair();
  writePushKey(data_dir, `${JSON.stringify(pair)}\n`);
  return pair;
}

/** Reads the key that several kernels share. @param text its JSON, from `sharedPushKey` */
export const pushKeyIn = (text: string): PushKeyPair => pairIn(text, 'The key of all kernels');

/** Returns the key text for several kernels: the first kernel's existing key, or a new one. */
export const sharedPushKey = (data_dir: string): string => readPushKey(data_dir) ?? JSON.stringify(newPair());

/** Returns the content of the file; undefined if it does not exist. */
export function readPushKey(data_dir: string): string | undefined {
  try {
    return readFileSync(join(data_dir, PUSH_KEY), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file atomically. */
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
  // A small number has leading zeros, which the curve omits.
  const private_key = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()]).subarray(-32);
  return { public_key, private_key: private_key.toString('base64url') };
}

/** The error contains no text of the file, because that may be most of a key. */
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
