/** Clients with hands of a played kernel: a new one for each test of the file that calls `besidePlayedKernel`. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { ApiClient } from '../client.ts';
import { temporaryDirectory } from '../directory.ts';
import { HandsClient, type HandsOptions } from '../hands.ts';
import { startKernel, type TestKernel } from '../kernel.ts';
import { type PlayedKernel, playKernel } from './played-kernel.ts';

export const CHAT = '01890000-0000-7000-8000-000000000000';
export const DECISIONS = ['allow', 'allow_once_a_week', 'deny'];

/** An event of the stream that asks for an operation. */
export const op = (id: string, fields: object) => ({ type: 'client_op', id, op_id: id, ...fields });

export function besidePlayedKernel() {
  const at = {} as { kernel: TestKernel; wire: PlayedKernel; directory: string };
  const handsOf = (options: Partial<HandsOptions> = {}) =>
    new HandsClient(new ApiClient(at.wire.url), { directory: at.directory, ...options });
  beforeAll(async () => {
    at.kernel = await startKernel();
    // The played kernel is checked against the document of this one.
    await at.kernel.api.document();
  });
  afterAll(() => at.kernel.stop());
  beforeEach(async () => {
    const directory = temporaryDirectory();
    at.directory = directory.path;
    at.wire = await playKernel();
    return () => {
      at.wire.close();
      directory.remove();
    };
  });
  return { at, handsOf };
}
