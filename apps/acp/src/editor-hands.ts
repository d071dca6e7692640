/**
 * The hands of a session: files through the editor, which knows unsaved changes, and commands in its terminals, if it
 * supports them. Everything else runs in this process, which is on the editor's machine.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { OperationContext } from '@chat-kernel/client';
import {
  type CommandOptions,
  gitEnvironment,
  type NodeHands,
  nodeHands,
  resolveAllowedPath,
  resolveReadablePath,
  resolveWritablePath,
} from '@chat-kernel/hands';

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

/** The number of bytes that the editor keeps from the end of the output. */
const MAX_BYTES = 1024 * 1024;
/** The exit codes that shells use. */
const TIMED_OUT = 124;
const KILLED = 137;
const PROGRESS_MS = 500;

interface TerminalRun extends OperationContext {
  editor: AgentContext;
  sessionId: string;
  cwd: string;
  /** Undefined: no limit. */
  timeout_secs: number | undefined;
  onTerminal(terminalId: string): void;
}

/** A command that was killed, or that timed out, returns the output so far. */
async function runInTerminal(
  command: string,
  { editor, sessionId, cwd, timeout_secs, by_prefix, signal, progress, onTerminal }: TerminalRun,
): Promise<{ output: string; exit_code: number }> {
  // The editor adds these variables to its own.
  const git = by_prefix ? await gitEnvironment(cwd, process.env) : {};
  await using terminal = await editor.createTerminal({
    sessionId,
    command: '/bin/sh',
    args: ['-c', command],
    cwd,
    ...(by_prefix && { env: Object.entries(git).map(([name, value]) => ({ name, value })) }),
    outputByteLimit: MAX_BYTES,
  });
  onTerminal(terminal.id);
  let timedOut = false;
  const kill = () => void terminal.kill().catch(() => {});
  const timer =
    timeout_secs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          kill();
        }, timeout_secs * 1000);
  const showing = setInterval(() => {
    terminal.currentOutput().then(
      ({ output }) => progress(output),
      () => {},
    );
  }, PROGRESS_MS);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    const { exitCode } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    return { output, exit_code: timedOut ? TIMED_OUT : (exitCode ?? KILLED) };
  } finally {
    clearTimeout(timer);
    clearInterval(showing);
    signal.removeEventListener('abort', kill);
  }
}
