/** Runs a command in a terminal of the editor, until it ends. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import type { OperationContext } from '@chat-kernel/client';
import { gitEnvironment } from '@chat-kernel/hands';

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
export async function runInTerminal(
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
