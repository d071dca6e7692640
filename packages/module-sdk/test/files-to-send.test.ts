/** Tests that files for sending come from the kernel, and are sent only after the owner has approved them. */
import { describe, expect, it } from 'vitest';
import { defineModule, ToolError, testKernel, tool } from '../src/index.ts';

describe('filesToSend', () => {
  const FILE = {
    id: '00000000-0000-4000-8000-00000000000a',
    name: 'a.txt',
    media_type: 'text/plain',
    size: 3,
  };
  const send = tool({
    description: 'Sends.',
    async run(_, { filesToSend }) {
      const [file] = await filesToSend(['work/a.txt'], { to: 'bob' }, ({ size }) => {
        if (size > 3) throw new ToolError('Too large.');
      });
      return `sent ${file?.id}`;
    },
  });

  const desk = defineModule({ name: 'desk', version: '1.0.0', about: 'a desk', tools: { send } });

  /** A kernel that answers each request for a copy with this. */
  async function kernelWith(status: number, body: object, consent: true | string = true) {
    const shown: object[] = [];
    const requests: string[] = [];
    const kernel = await testKernel(desk, {
      async fetch(input, init) {
        const request = new Request(input, init);
        requests.push(`${new URL(request.url).pathname} ${await request.text()}`);
        return Response.json(body, { status });
      },
      consent(fields) {
        shown.push(fields);
        return consent;
      },
    });
    return { kernel, shown, requests };
  }

  it('copies the file, shows the owner name, size, path and recipient, and returns the copy', async () => {
    const { kernel, shown, requests } = await kernelWith(201, FILE);
    expect(await kernel.call('send')).toEqual({ output: `sent ${FILE.id}` });
    expect(requests).toEqual([
      '/v1/chats/00000000-0000-7000-8000-000000000000/ops/copy_file {"path":"work/a.txt"}',
    ]);
    expect(shown).toEqual([{ to: 'bob', files: 'a.txt (3 B), from work/a.txt' }]);
  });

  it('asks nothing for a file that the kernel or the module refuses, and returns the refusal of the owner', async () => {
    const refusal = {
      type: 'about:blank',
      title: 'x',
      status: 403,
      code: 'forbidden_path',
      detail: 'Outside.',
    };
    const outside = await kernelWith(403, refusal);
    expect(await outside.kernel.call('send')).toEqual({ output: 'Outside.', is_error: true });
    const large = await kernelWith(201, { ...FILE, size: 4 });
    expect(await large.kernel.call('send')).toEqual({ output: 'Too large.', is_error: true });
    expect([...outside.shown, ...large.shown]).toEqual([]);
    const denied = await kernelWith(201, FILE, 'Not him.');
    expect(await denied.kernel.call('send')).toEqual({ output: 'Not him.', is_error: true });
  });

  it.each([{ master: false }, { trusted: false }])('reads nothing in a turn with %j', async who => {
    const { kernel, shown, requests } = await kernelWith(201, FILE);
    expect(await kernel.call('send', {}, who)).toMatchObject({ is_error: true });
    expect([...shown, ...requests]).toEqual([]);
  });
});
