/**
 * The hands of a session: files by the editor, which knows what is not saved yet, and commands in its terminals, as far as
 * it has those. All else is done here: the editor has started this program on its own machine.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import { type NodeHands, nodeHands, reached } from '@chat-kernel/client/node';
import { runInTerminal } from './terminal.ts';

interface EditorHandsOptions {
  editor: AgentContext;
  capabilities: ClientCapabilities;
  sessionId: string;
  /** The folder of the session, absolute. */
  cwd: string;
  /** Further folders whose files may be touched. */
  additionalDirectories: readonly string[];
  /** A command runs in a terminal of the editor. */
  onTerminal(command: string, terminalId: string): void;
}

export function editorHands({
  editor,
  capabilities: { fs, terminal },
  sessionId,
  cwd,
  additionalDirectories,
  onTerminal,
}: EditorHandsOptions): NodeHands {
  const reach = { workdir: cwd, within: [cwd, ...additionalDirectories] };
  const here = nodeHands(reach);
  return {
    ...here,
    ...(fs?.readTextFile && {
      read: async ({ path: given }) => {
        const path = await reached(reach, given);
        const { content } = await editor.request('fs/read_text_file', { sessionId, path });
        return content;
      },
    }),
    ...(fs?.writeTextFile && {
      write: async ({ path: given, content }) => {
        const path = await reached(reach, given);
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
          cwd: await reached(reach, workdir),
          timeout_secs,
          onTerminal: terminalId => onTerminal(command, terminalId),
        }),
    }),
  };
}
