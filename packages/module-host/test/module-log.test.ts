/** Tests the lines of a module in the kernel's log. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { ModuleLog } from '../src/session/module-log.ts';

test('truncates and counts the lines of a module, and names the module', () => {
  const logged: [string, object, string][] = [];
  const at = (level: string) => (facts: object, sentence: string) =>
    void logged.push([level, facts, sentence]);
  const clock = new ManualClock();
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const lines = new ModuleLog('parrot', log, clock);
  lines.notified({ level: 'error', message: 'x'.repeat(5000) });
  lines.notified({ level: 'shout', message: 'hey' });
  lines.notified({ message: 7 });
  lines.notified('text');
  lines.printed('one\n\ntwo\n');
  expect(logged).toEqual([
    ['error', { module: 'parrot' }, 'x'.repeat(2000)],
    ['info', { module: 'parrot' }, 'hey'],
    ['debug', { module: 'parrot' }, 'one'],
    ['debug', { module: 'parrot' }, 'two'],
  ]);
  for (let line = 0; line < 100; line++) lines.notified({ level: 'info', message: 'again' });
  expect(logged).toHaveLength(20);
  clock.advance(1000);
  lines.notified({ level: 'info', message: 'later' });
  expect(logged.at(-1)).toEqual(['info', { module: 'parrot', left_out: 84 }, 'later']);
});
