/** Sends notifications to the other receivers in the settings: programs, and addresses that get a POST (PUSH-3). */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { Semaphore } from '@chat-kernel/base';
import { harmlessVariables, type ProcessEnvironment, signalGroup } from '@chat-kernel/hands/processes';
import type { NotifySettings, PushNotification } from '@chat-kernel/protocol';
import { failed, type Notifier, type PushResult, SENT } from '../sender.ts';
import { describeFailure, post, TIMEOUT_MS } from './post.ts';

/** Maximum number of concurrent programs: many turns may end at the same time. */
const MAX_CONCURRENT_PROGRAMS = 4;

export function createNotifiers(
  settings: readonly NotifySettings[],
  environment: ProcessEnvironment,
): Notifier[] {
  const env = harmlessVariables(environment);
  const programs = new Semaphore(MAX_CONCURRENT_PROGRAMS);
  return settings.map((entry, index): Notifier => {
    const { on, command, url = '' } = entry;
    if (command !== undefined) {
      return {
        name: `notify.${index}: ${basename(command[0] ?? '')}`,
        to: 'command',
        on,
        notify: (word, signal) =>
          programs
            .run(() => runCommand(word, { command, env, timeout_ms: TIMEOUT_MS, signal }), signal)
            .catch(({ code }) => failed(signal.aborted ? 'the kernel is stopping' : notStarted(code), false)),
      };
    }
    return {
      // The rest of the address may be a secret.
      name: `notify.${index}: ${new URL(url).host}`,
      to: 'url',
      on,
      notify: (word, signal) => postWord(word, entry, signal),
    };
  });
}

async function postWord(
  word: PushNotification,
  { url = '', headers = {}, format = 'json' }: NotifySettings,
  signal: AbortSignal,
): Promise<PushResult> {
  const sent = format === 'ntfy' ? asNtfy(word) : asJson(word);
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  try {
    const status = await post({
      url: new URL(url),
      headers: { ...sent.headers, ...Object.fromEntries(own) },
      body: sent.body,
      signal,
    });
    return status >= 200 && status < 300 ? SENT : failed(`the server returned ${status}`, true);
  } catch (error) {
    return failed(describeFailure(error), true);
  }
}

const asJson = (word: PushNotification) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(word),
});

/** The format of ntfy; a tap opens the page if its absolute address is known. */
const asNtfy = ({ title, text, reason, url }: PushNotification) => ({
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    title: headerText(title),
    ...(URL.canParse(url) && { click: url }),
  },
  body: reason === undefined ? text : `${text}\n${reason}`,
});

/** Headers are ASCII: other text is encoded as in mail headers (RFC 2047), which ntfy reads. */
const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

interface CommandRun {
  command: readonly string[];
  env: Record<string, string>;
  timeout_ms: number;
  signal: AbortSignal;
}

/**
 * Runs a program of the owner that gets each notification on its standard input, within a time limit (PUSH-3).
 * Resolves when the program has ended, or was ended with all its child processes; its output is ignored. Rejects if
 * the command is not valid.
 */
export function runCommand(
  word: PushNotification,
  { command: [program = '', ...args], env, timeout_ms, signal }: CommandRun,
): Promise<PushResult> {
  return new Promise(resolve => {
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const late = () => giveUp(`the program did not end within ${timeout_ms / 1000} s`);
    const stop = () => giveUp('the kernel is stopping');
    const timer = setTimeout(late, timeout_ms);
    signal.addEventListener('abort', stop);
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      end(notStarted(code));
    });
    child.once('exit', (code, killer) => {
      if (code === 0) end(null);
      else
        end(
          code === null ? `the program was terminated by ${killer}` : `the program ended with code ${code}`,
        );
    });
    // A program may ignore its input; that is not an error.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(word)}\n`);

    function giveUp(why: string): void {
      end(why);
      signalGroup(child.pid, 'SIGKILL');
    }

    /** The first call counts. A program that has run may have done its work, so it is not retried. */
    function end(detail: string | null): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(detail === null ? SENT : failed(detail, false));
    }
  });
}

/** The message of the system would contain the arguments. */
const notStarted = (code: string | undefined): string => `the program could not be started: ${code}`;
