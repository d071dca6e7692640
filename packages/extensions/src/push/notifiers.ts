/** What the settings name besides browsers: programs, and addresses that get a POST (PUSH-3). */
import { basename } from 'node:path';
import { AtOnce, type Notifier, type PushResult } from '@chat-kernel/kernel';
import type { NotifySettings, PushWord } from '@chat-kernel/protocol';
import { harmlessVariables, type ProcessEnvironment } from '../processes/environment.ts';
import { notStarted, runCommand } from './command.ts';
import { post, reasonOf } from './post.ts';

/** Programs that run at once: many turns may end together. */
const MOST_PROGRAMS = 4;

export function notifiersOf(
  settings: readonly NotifySettings[],
  environment: ProcessEnvironment,
): Notifier[] {
  const env = harmlessVariables(environment);
  const programs = new AtOnce(MOST_PROGRAMS);
  return settings.map((entry, index): Notifier => {
    const { on, command, url = '', timeout_secs } = entry;
    const timeout_ms = timeout_secs * 1000;
    if (command !== undefined) {
      return {
        name: `notify.${index}: ${basename(command[0] ?? '')}`,
        to: 'command',
        on,
        tell: (word, signal) =>
          programs
            .run(() => runCommand(word, { command, env, timeout_ms, signal }), signal)
            .catch(({ code }) => failed(signal.aborted ? 'the kernel stops' : notStarted(code), false)),
      };
    }
    return {
      // The rest of the address may be what keeps others out.
      name: `notify.${index}: ${new URL(url).host}`,
      to: 'url',
      on,
      tell: (word, signal) => postWord(word, entry, signal),
    };
  });
}

async function postWord(
  word: PushWord,
  { url = '', headers = {}, format = 'json', timeout_secs }: NotifySettings,
  signal: AbortSignal,
): Promise<PushResult> {
  const sent = format === 'ntfy' ? asNtfy(word) : asJson(word);
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  try {
    const status = await post({
      url: new URL(url),
      headers: { ...sent.headers, ...Object.fromEntries(own) },
      body: sent.body,
      timeout_ms: timeout_secs * 1000,
      signal,
    });
    if (status >= 200 && status < 300) return { outcome: 'sent', detail: null, passing: false };
    return { outcome: 'failed', detail: `the address answered ${status}`, passing: true };
  } catch (error) {
    return failed(reasonOf(error), true);
  }
}

const failed = (detail: string, passing: boolean): PushResult => ({ outcome: 'failed', detail, passing });

const asJson = (word: PushWord) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(word),
});

/** As ntfy wants it; a tap opens the page where its whole address is known. */
const asNtfy = ({ title, text, url }: PushWord) => ({
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    title: headerText(title),
    ...(URL.canParse(url) && { click: url }),
  },
  body: text,
});

/** Headers are ASCII: anything else goes in the words of mail (RFC 2047), which ntfy reads. */
const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
