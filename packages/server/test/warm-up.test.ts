/** Tests the warm-up turn: it runs to its end in memory, and yields to real work. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { Settings } from '@chat-kernel/protocol';
import { builtinTools, GROUPS, ownMachine } from '@chat-kernel/tools';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { warmUp } from '../src/warm-up.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'warm-up-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function parts() {
  const paths = new MachinePaths([folder], []);
  const { shell } = Settings.parse({}).tools;
  const tools = builtinTools({
    paths,
    sandbox: new Sandbox(shell, paths),
    environment: {},
    question_timeout_secs: 1,
  });
  return { tools, groups: GROUPS, machine: ownMachine(paths), version: '1.2.3' };
}

it('runs a complete turn, and writes nothing', async () => {
  await warmUp(parts(), () => true);
  expect(readdirSync(folder)).toEqual([]);
});

it('starts nothing more once there is real work', async () => {
  for (const steps of [0, 1, 2]) {
    let asked = 0;
    await warmUp(parts(), () => asked++ < steps);
    expect(asked).toBe(steps + 1);
  }
});

it('throws if something is broken, so that the caller can log it', async () => {
  const machine = null as never;
  const groups = null as never;
  await expect(warmUp({ ...parts(), machine, groups }, () => true)).rejects.toThrow();
});
