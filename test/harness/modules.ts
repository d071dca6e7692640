/** Starts kernels with modules: small programs in plain Node that the kernel starts, or that listen on sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Module, ToolEntry, TurnContext } from '@chat-kernel/protocol';
import { expect, onTestFinished, vi } from 'vitest';
import type { Declared } from '../../packages/module-host/test/fixtures/speak.ts';
import type { RecordedRequest } from '../upstream/server.ts';
import type { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';

export { listening, started } from '../../packages/module-host/test/test-host.ts';

/** Declares a tool of the small module, which does what its name says. */
export const tool = (name: string, more: object = {}) => ({ name, description: `Does ${name}.`, ...more });

/** Creates a folder for files that modules write, removed after the test. */
export function places() {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return { path, at: (name: string) => join(path, name) };
}

interface Heard {
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the raw data that the kernel sends
  params: any;
}

/**
 * Creates a file in which a module records the messages that it receives, and reads the recorded messages of one
 * method.
 */
export function record(path: string) {
  writeFileSync(path, '');
  const all = (): Heard[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
  return { path, heard: (method: string) => all().filter(each => each.method === method) };
}

export const modulesOf = async (api: ApiClient): Promise<Module[]> =>
  (await api.get('/v1/modules')).body.modules;

export const moduleOf = async (api: ApiClient, name: string): Promise<Module | undefined> =>
  (await modulesOf(api)).find(module => module.name === name);

/** Waits until a module has this status. */
export const becomes = (api: ApiClient, name: string, status: Module['status']): Promise<void> =>
  vi.waitFor(async () => expect(await moduleOf(api, name)).toMatchObject({ status }), {
    timeout: 60_000,
    interval: 20,
  });

export const toolEntry = async (api: ApiClient, name: string): Promise<ToolEntry | undefined> =>
  (await api.get('/v1/tools')).body.tools.find((entry: ToolEntry) => entry.name === name);

/** Lists the names of the tools in a request to the model (OpenAI-compatible). */
export const namesIn = (request: RecordedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((entry: { function: { name: string } }) => entry.function.name);

/** Parses the output of the tool `echo`: the call as the module received it. */
export const echoed = (
  output: string,
): { call_id: string; name: string; input: object; context: TurnContext } => JSON.parse(output);

export type { Declared };
