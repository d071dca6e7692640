/**
 * The hands of a session: files through the editor, which knows unsaved changes, and commands in its terminals, if it
 * supports them. Everything else runs in this process, which is on the editor's machine.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import {
  type CommandOptions,
  type NodeHands,
  nodeHands,
  resolveAllowedPath,
  resolveReadablePath,
  resolveWritablePath,
} from '@chat-kernel/hands';
import { runInTerminal } from './terminal.ts';

interface EditorHandsOptions {
  editor: AgentContext;
  capabilities: ClientCapabilities;
  sessionId: string;
  /** The folder of the session, absolute. */
  cwd: string;
  /** Other folders whose files may be accessed. */
  additionalDirectories: readonly string[];
  /** How commands run if the editor has no terminals. */
  commands?: CommandOptions | undefined;
  /** Runs a command in a terminal of the editor. */
  onTerminal(command: string, terminalId: string): void;
}

export function editorHands({
  editor,
  capabilities: { fs, terminal },
  sessionId,
  cwd,
  additionalDirectories,
  commands,
  onTerminal,
}: EditorHandsOptions): NodeHands {
  const reach = { workdir: cwd, within: [cwd, ...additionalDirectories] };
  const here = nodeHands({ ...commands, ...reach });
  return {
    ...here,
    ...(fs?.readTextFile && {
      read: async ({ path: given }) => {
        const path = await resolveReadablePath(reach, given);
        const { content } = await editor.request('fs/read_text_file', { sessionId, path });
        return content;
      },
    }),
    ...(fs?.writeTextFile && {
      write: async ({ path: given, content }) => {
        const path = await resolveWritablePath(reach, given);
        await mkdir(dirname(path), { recursive: true });
        await editor.request('fs/write_text_file', { sessionId, path, content });
        return 'written';
      },
    }),
    ...(terminal && {
      shell: async ({ command, workdir = '.', timeout_secs }, context) =>
        runInTerminal(command, {
          ...context,
          editor,
          sessionId,
          cwd: await resolveAllowedPath(reach, workdir),
          timeout_secs,
          onTerminal: terminalId => onTerminal(command, terminalId),
        }),
    }),
  };
}
