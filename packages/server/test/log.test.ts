/** Tests that no line of the log contains a secret, and that everything else stays as it was. */
import { expect, it } from 'vitest';
import { openLog } from '../src/start/log.ts';

/** The facts of the lines that `write` logs, without their time and level. */
function logged(write: (log: ReturnType<typeof openLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(openLog('info', ['hunter2hunter2'], { write: line => void lines.push(line) }));
  return lines.map(line => {
    const { time: _time, level: _level, ...facts } = JSON.parse(line);
    return facts;
  });
}

it('hides a secret in the message and in facts at every depth', () => {
  const [facts] = logged(log =>
    log.info(
      { url: 'https://me:hush@a.example/', list: [{ text: 'is hunter2hunter2' }] },
      'it is hunter2hunter2',
    ),
  );
  expect(facts).toEqual({
    url: expect.not.stringContaining('hush'),
    list: [{ text: 'is ***' }],
    msg: 'it is ***',
  });
});

it('hides a secret in an error, its cause and its stack', () => {
  const cause = new Error('no hunter2hunter2');
  const err = Object.assign(new Error('failed: hunter2hunter2', { cause }), { code: 'EFAIL' });
  const [facts] = logged(log => log.error({ err }, 'failed'));
  expect(facts).toMatchObject({
    err: { type: 'Error', code: 'EFAIL', message: expect.stringMatching(/^failed: \*\*\*/) },
  });
  expect(JSON.stringify(facts)).not.toContain('hunter2hunter2');
});

it('writes numbers, null, true and dates unchanged', () => {
  const at = new Date(0);
  expect(logged(log => log.info({ n: 1, none: null, yes: true, at, list: [null, 2] }, 'x'))).toEqual([
    { n: 1, none: null, yes: true, at: '1970-01-01T00:00:00.000Z', list: [null, 2], msg: 'x' },
  ]);
});

it('leaves out lines below its level', () => {
  expect(logged(log => log.debug('x'))).toEqual([]);
});
