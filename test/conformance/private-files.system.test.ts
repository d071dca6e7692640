/** Tests that the kernel's files are private on the disk: they contain chats, files and secrets. */
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { becomes, started, tool } from '../harness/modules.ts';
import { PATIENT } from '../harness/patient.ts';
import { PNG } from '../harness/pictures.ts';
import { startKernelProcess } from '../harness/process.ts';
import { calls, says } from '../harness/story.ts';

/** The paths below a directory that the group or others may read, write or enter, with their modes. */
function openPaths(directory: string): string[] {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  );
  return [directory, ...paths].flatMap(path => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    const isOpen = facts !== undefined && !facts.isSymbolicLink() && (facts.mode & 0o077) !== 0;
    return isOpen ? [`${relative(directory, path)} ${(facts.mode & 0o777).toString(8)}`] : [];
  });
}

test(
  '[API-7] no file of the kernel is open to other users, and a settings file that is open is reported',
  PATIENT,
  async () => {
    const home = directoryOfTest();
    const dataDir = join(home, 'data');
    const settings = join(home, '.config/chat-kernel/config.yaml');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '', { mode: 0o644 });
    const workdir = directoryOfTest();
    writeFileSync(join(workdir, 'notes.txt'), 'one');
    const kernel = await startKernelProcess({
      home,
      dataDir,
      settings: {
        modules: {
          servers: { parrot: started({ name: 'parrot', about: 'repeats', tools: [tool('echo')] }) },
        },
      },
    });
    try {
      const { api, client, upstream } = kernel;
      await becomes(api, 'parrot', 'up');
      const { id } = await client.createChat({ workdir, workdir_on: 'server' });
      const file = await client.uploadFile({
        name: 'a.txt',
        media_type: 'text/plain',
        bytes: new Blob(['A file.']),
      });
      upstream.next(
        calls('a', 'edit_file', { path: 'notes.txt', old: 'one', new: 'two' }),
        // Before the command: without a sandbox, nothing is sent after its output without a question.
        calls('c', 'parrot_echo', { word: 'hi' }),
        calls('b', 'shell', { commands: ['echo hi > made'] }),
        says('Done.'),
      );
      const events = await client.say(id, 'Go.', {
        files: [{ id: file.id }],
        images: [{ media_type: 'image/png', data: PNG.toString('base64') }],
      });
      expect(events.at(-1)).toMatchObject({ status: 'completed' });
      expect((await api.get('/v1/push')).status).toBe(200);
      const found = readdirSync(dataDir);
      expect(found).toEqual(
        expect.arrayContaining(['chat-kernel.db', 'files', 'images', 'undo', 'push-key.json']),
      );
      expect(openPaths(dataDir)).toEqual([]);
      expect(kernel.log()).toContain(`run chmod 600 ${settings}`);
    } finally {
      await kernel.stop();
    }
  },
);
