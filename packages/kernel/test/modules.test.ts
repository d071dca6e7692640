/** Tests the states of modules in the statistics. */
import { expect, it } from 'vitest';
import { Modules } from '../src/modules/modules.ts';

it('counts active modules as up or down, and no module that waits for approval or is disabled', () => {
  const all = ['up', 'down', 'pending', 'revoked'].map(status => ({ name: `is ${status}`, status }));
  const extensions = { modules: () => all, onDecision() {} };
  expect(new Modules(extensions as never).states()).toEqual({ 'is up': 'up', 'is down': 'down' });
  expect(new Modules(undefined).states()).toEqual({});
});
