/** The status line and the activity above the input, at any width. */
import { describe, expect, it } from 'vitest';
import { activityLines, contextShare, type Status, statusLine } from '../src/status/status-line.ts';
import { lineText } from '../src/text/line.ts';
import { IDLE, NOW } from './screen-props.ts';

const shown = (status: Partial<Status>, width: number): string =>
  lineText(statusLine({ ...IDLE, ...status }, width));
const goingOn = (status: Partial<Status>): string[] =>
  activityLines({ ...IDLE, ...status }, 100, NOW, true).map(lineText);

describe('the status', () => {
  it('leaves out the least important parts at 40 columns, and shows all at 200', () => {
    const full = { queued: 2, workdir: '/home/me/project', title: 'A chat', cost_usd: 0.1234 };
    expect(shown(full, 200)).toBe(
      'demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · $0.123 · 2 queued · /home/me/project · A chat',
    );
    expect(shown(full, 80)).toBe('demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · $0.123 · 2 queued');
    expect(shown(full, 40)).toBe('demo/demo · ▰▰▱▱▱▱▱▱ 25% of 100k');
    expect(shown({ model: 'a-provider/with-a-very-long-name', context: null }, 20)).toBe(
      'a-provider/with-a-v…',
    );
  });

  it('shows no model before the models are loaded, and then that there is none', () => {
    expect(shown({ model: undefined }, 200)).toBe('effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · price unknown');
    expect(shown({ model: null }, 200)).toBe('no model · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · price unknown');
  });

  it('computes the share of the context window as documented in the API', () => {
    expect(contextShare({ prompt_tokens: 30_000, prefix_tokens: 5_000, context_window: 100_000 })).toBe(0.25);
    expect(contextShare({ prompt_tokens: 1, prefix_tokens: 5, context_window: 10 })).toBe(0);
    expect(contextShare({ prompt_tokens: 1, prefix_tokens: 0, context_window: 0 })).toBe(0);
  });

  it('shows an unknown cost as unknown, not as zero', () => {
    expect(shown({ cost_usd: null }, 80)).toMatch(/ · price unknown$/);
    expect(shown({ cost_usd: undefined }, 80)).toBe('demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k');
  });

  it('shows the duration of a turn, how to wake it, and a lost connection', () => {
    expect(goingOn({ turn: { state: 'running', started_at: NOW - 61_000 } })[0]).toMatch(
      /^\S working 1 min 1 s · Esc to stop$/,
    );
    expect(goingOn({ turn: { state: 'compacting', started_at: NOW } })[0]).toMatch(
      /compacting the conversation 0 s/,
    );
    const pause = {
      state: 'provider_wait',
      started_at: NOW,
      until: new Date(NOW + 11_200).toISOString(),
    } as const;
    expect(goingOn({ turn: pause })[0]).toMatch(/^\S Waiting for the provider \(retry in 12 s\) 0 s/);
    expect(goingOn({ turn: { ...pause, until: new Date(NOW).toISOString() } })[0]).toMatch(/^\S working 0 s/);
    const sleeping = {
      state: 'sleeping',
      since: new Date(NOW).toISOString(),
      until: null,
      reason: 'night',
    } as const;
    expect(goingOn({ turn: sleeping })[0]).toMatch(
      /^☾ asleep since \d\d:\d\d, until you wake it \(night\) · \/wake to wake$/,
    );
    expect(goingOn({ connection: { state: 'reconnecting', retry_at: NOW + 2400 } })).toEqual([
      '⚡ disconnected; retrying in 3 s',
    ]);
    expect(
      goingOn({ turn: { state: 'queued', position: 2 }, notice: { text: 'no', kind: 'error' } }),
    ).toEqual(['◷ queued (2 ahead)', 'no']);
  });
});
