/** Tests how commands of models run on this machine, by the options of the command line. */
import { afterEach, expect, it, vi } from 'vitest';
import { commandOptions, commandWords } from '../src/commands/command-options.ts';

afterEach(() => vi.unstubAllEnvs());

it('[CONSENT-9] commands are sandboxed if possible and get no variables, unless the options say otherwise', () => {
  vi.stubEnv('GH_TOKEN', 'x');
  const usual = commandOptions({});
  expect([usual.sandbox !== undefined, usual.env.GH_TOKEN]).toEqual([true, undefined]);
  const flags = { sandbox: 'none', env: ['GH_TOKEN'] };
  const changed = commandOptions(flags);
  expect([changed.sandbox, changed.env.GH_TOKEN]).toEqual([undefined, 'x']);
  expect(commandWords(flags)).toEqual(['--sandbox', 'none', '--env', 'GH_TOKEN']);
  expect(() => commandOptions({ sandbox: 'docker' })).toThrow('--sandbox must be auto or none.');
});
