/** The turn that warms up: it runs to its end in memory, and gives way to real work. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { builtinTools, GROUPS, MachinePaths, ownMachine, Sandbox } from '@chat-kernel/tools';
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
    shell,
    environment: {},
    question_timeout_secs: 1,
  });
  return { tools, groups: GROUPS, machine: ownMachine(paths), version: '1.2.3' };
}

it('runs a whole turn, and writes nothing', async () => {
  await warmUp(parts(), () => true);
  expect(readdirSync(folder)).toEqual([]);
});

it('begins nothing more once there is real work', async () => {
  for (const steps of [0, 1, 2]) {
    let asked = 0;
    await warmUp(parts(), () => asked++ < steps);
    expect(asked).toBe(steps + 1);
  }
});

it('fails where something is broken, for whoever logs that', async () => {
  const machine = null as never;
  const groups = null as never;
  await expect(warmUp({ ...parts(), machine, groups }, () => true)).rejects.toThrow();
});
