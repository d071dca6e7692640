/** Kills the kernel while messages are retried and versions switched: no message is lost, and none stands twice. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';
import { startKernelProcess } from '../harness/process.ts';
import { says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const KILLS = 4;
const seed = Date.now() % 2 ** 31;
const delays = fc.sample(fc.nat({ max: 150 }), { numRuns: KILLS, seed });
const directory = temporaryDirectory();
const upstream = await startUpstream(() => says('An answer.'));
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

test(
  `[EDIT-1] [EDIT-2] loses nothing and shows nothing twice over ${KILLS} kills (seed ${seed})`,
  PATIENT,
  async () => {
    let chat = '';
    const acknowledged: string[] = [];
    for (const delay of [...delays, undefined]) {
      const kernel = await startKernelProcess({ upstream, dataDir: directory.path });
      const { api, client } = kernel;
      if (chat === '') {
        chat = (await api.newChat()).id;
        const first = await api.turn(chat, { text: 'First.' });
        await first.all();
        acknowledged.push(first.messageId);
      }
      await expect.poll(async () => (await client.getChat(chat)).turn, PATIENT).toBeNull();
      const { forks } = await client.listVersions(chat);
      const versions = forks.flatMap(fork => fork.versions);
      const stored = forks.length === 0 ? acknowledged : versions.map(({ id }) => id);
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      expect(new Set(stored).size).toBe(stored.length);
      expect(versions.filter(({ active }) => active).length).toBe(forks.length);
      const { messages } = await client.listMessages(chat);
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
      if (delay === undefined) {
        // Each version still has its messages.
        for (const { id } of versions) {
          await client.activateVersion(chat, id);
          expect((await client.listMessages(chat)).messages[0]?.id).toBe(id);
        }
        expect(await kernel.stop()).toEqual({ code: 0, signal: null });
        return;
      }
      const working = (async () => {
        for (let current = messages[0]!.id; ; ) {
          const stream = await api.retry(chat, current, { text: `At ${delay}.` });
          acknowledged.push(stream.messageId);
          current = stream.messageId;
          await stream.all();
          await client.activateVersion(chat, acknowledged[0]!);
          current = acknowledged[0]!;
        }
      })().catch(() => {});
      // At least one retry begins, also on a slow machine.
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length, PATIENT).toBeGreaterThan(before);
      await new Promise(resolve => setTimeout(resolve, delay));
      await kernel.kill();
      await working;
    }
  },
);
