/** Tests files on the kernel's own machine, read in pieces, except for those that belong to the kernel. */
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '@chat-kernel/server';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from '../harness/client.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { parsedSettings, settingsFor } from '../harness/settings.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';

const MOST = 4 * 1024 * 1024;

const kernel = sharedKernel();

/** New for each test. */
let directory: string;
beforeEach(() => {
  const made = temporaryDirectory();
  onTestFinished(made.remove);
  directory = realpathSync(made.path);
});

describe("a file on the kernel's machine", () => {
  const readAt = (api: ApiClient) => (path: string, offset: number, size: number) =>
    api.post('/v1/ops/read_bytes', { path, offset, size });

  test('[OP-12] is read in pieces to its end and no further', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 100_001 }, (_, at) => (at * 31 + (at >> 8)) & 0xff));
    writeFileSync(join(directory, 'b'), bytes);
    symlinkSync(join(directory, 'b'), join(directory, 'link'));
    const read = readAt(kernel.api);
    const pieces: Buffer[] = [];
    for (let offset = 0; offset < bytes.length; offset += 40_000) {
      const { status, body } = await read(join(directory, 'link'), offset, 40_000);
      expect([status, body.total]).toEqual([200, bytes.length]);
      pieces.push(Buffer.from(body.data, 'base64'));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    for (const offset of [bytes.length, 2 ** 40]) {
      expect((await read(join(directory, 'b'), offset, 10)).body).toEqual({ total: bytes.length, data: '' });
    }
    expect((await read(join(directory, 'b'), 0, MOST + 1)).status).toBe(422);
  });

  test('[OP-12] returns 404 if it is missing, and 400 if the path is invalid or no regular file', async () => {
    const read = readAt(kernel.api);
    const codeOf = async (path: string) => {
      const { status, body } = await read(path, 0, 1);
      return [status, body.code];
    };
    expect(await codeOf(join(directory, 'none'))).toEqual([404, 'not_found']);
    writeFileSync(join(directory, 'b'), '');
    expect(await codeOf(join(directory, 'b/c'))).toEqual([404, 'not_found']);
    for (const path of ['b', './b', directory, `${directory}/a\0b`, '/dev/null']) {
      expect([path, ...(await codeOf(path))]).toEqual([path, 400, 'invalid_value']);
    }
    expect(await codeOf('')).toEqual([422, 'schema_mismatch']);
  });

  test('[OP-12] is rejected by any name if it belongs to the kernel', async () => {
    const [data, file] = [join(directory, 'data'), join(directory, 'settings.yaml')];
    writeFileSync(file, 'secret');
    const tree = settingsFor(kernel.upstream.url, 'openai-compatible');
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const settings = parsedSettings({ ...tree, data_dir: data });
    const server = await startServer(settings, { log, settingsPlaces: [file], environment: {} });
    onTestFinished(() => server.stop());
    symlinkSync(file, join(directory, 'link'));
    symlinkSync(data, join(directory, 'data-link'));
    symlinkSync(join(data, 'none'), join(directory, 'dangling'));
    writeFileSync(join(directory, 'settings.yaml.bak'), 'own');
    const read = readAt(new ApiClient(server.url));
    const own = [
      file,
      join(directory, 'link'),
      `${directory}/./x/../settings.yaml`,
      data,
      join(data, 'kernel.db'),
      join(data, 'none'),
      join(directory, 'data-link/kernel.db'),
      join(directory, 'data-link/none'),
      '/proc/self/environ',
      `/proc/${process.pid}/mem`,
    ];
    for (const path of own) {
      const { status, body } = await read(path, 0, 10);
      expect([path, status, body.code]).toEqual([path, 403, 'forbidden_path']);
    }
    // A path next to the folder is not inside it; a broken link reveals nothing.
    expect((await read(join(directory, 'settings.yaml.bak'), 0, 10)).body.data).toBe(
      Buffer.from('own').toString('base64'),
    );
    expect((await read(join(directory, 'dangling'), 0, 10)).status).toBeGreaterThanOrEqual(400);
  });

  test('[CONSENT-5] is rejected if it is a secret place', async () => {
    writeFileSync(join(directory, '.env'), 'PASSWORD=x');
    symlinkSync('.env', join(directory, 'notes'));
    const read = readAt(kernel.api);
    for (const name of ['.env', 'notes']) {
      const { status, body } = await read(join(directory, name), 0, 10);
      expect([status, body.code]).toEqual([403, 'forbidden_path']);
      expect(body.detail).toContain(`${directory}/.env is a secret place`);
    }
  });
});
