/** Runs a command in a terminal of the editor, to its end. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import type { OperationContext } from '@chat-kernel/client';

/** Bytes of the output that the editor keeps, from its end. */
const MOST_BYTES = 1024 * 1024;
/** The exit codes of shells. */
const TIMED_OUT = 124;
const KILLED = 137;
const PROGRESS_MS = 500;

interface TerminalRun extends OperationContext {
  editor: AgentContext;
  sessionId: string;
  cwd: string;
  /** Undefined: without a limit. */
  timeout_secs: number | undefined;
  onTerminal(terminalId: string): void;
}

/** A command that is killed, or whose time is up, answers with what it had written. */
export async function runInTerminal(
  command: string,
  { editor, sessionId, cwd, timeout_secs, signal, progress, onTerminal }: TerminalRun,
): Promise<{ output: string; exit_code: number }> {
  await using terminal = await editor.createTerminal({
    sessionId,
    command: '/bin/sh',
    args: ['-c', command],
    cwd,
    outputByteLimit: MOST_BYTES,
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
