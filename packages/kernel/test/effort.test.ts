import { EFFORTS, type Effort } from '@chat-kernel/protocol';
import { describe, expect, it } from 'vitest';
import { chooseEffort, type EffortVoices, raise } from '../src/model/effort.ts';

const silent: EffortVoices = {
  turn: undefined,
  master_text: undefined,
  chat: null,
  surface: undefined,
  model: null,
  global: 'low',
};

describe('[EFF-1] the strongest setting wins', () => {
  const voices: [string, Partial<EffortVoices>, Effort][] = [
    ['turn', { turn: 'off' }, 'off'],
    ['ultrathink', { master_text: 'please ULTRATHINK about it' }, 'high'],
    ['chat', { chat: 'mid' }, 'mid'],
    ['surface', { surface: 'off' }, 'off'],
    ['model', { model: 'mid' }, 'mid'],
    ['global', {}, 'low'],
  ];
  for (const [index, [source, , value]] of voices.entries()) {
    it(`${source} overrides everything weaker`, () => {
      const all = Object.assign({}, silent, ...voices.slice(index).map(([, voice]) => voice));
      expect(chooseEffort(all, EFFORTS)).toEqual({ value, source, raised: false });
    });
  }

  it('accepts ultrathink only as a whole word', () => {
    for (const master_text of ['ultrathinking', 'do not multrathink', 'ultra think']) {
      expect(chooseEffort({ ...silent, master_text }, EFFORTS).source).toBe('global');
    }
    expect(chooseEffort({ ...silent, master_text: 'now: ultrathink!' }, EFFORTS).source).toBe('ultrathink');
  });
});

describe('the nearest level that the model supports', () => {
  const nearest: [Effort, Effort[], Effort][] = [
    ['high', ['off', 'low'], 'low'],
    ['mid', ['low', 'high'], 'low'],
    ['off', ['mid', 'high'], 'mid'],
    ['low', ['low', 'mid'], 'low'],
    ['high', [], 'high'],
  ];
  for (const [wanted, efforts, used] of nearest) {
    it(`${wanted} of [${efforts}] becomes ${used}`, () => {
      expect(chooseEffort({ ...silent, turn: wanted }, efforts)).toEqual({
        value: used,
        source: 'turn',
        raised: false,
      });
    });
  }
});

describe('[EFF-2] think_harder', () => {
  const low = { value: 'low', source: 'global', raised: false } as const;

  it('raises to high, or to the highest level of the model', () => {
    expect(raise(low, EFFORTS)).toEqual({ value: 'high', source: 'global', raised: true });
    expect(raise(low, ['off', 'low', 'mid'])).toEqual({ value: 'mid', source: 'global', raised: true });
  });

  it('raises once, and never lowers', () => {
    expect(raise({ ...low, raised: true }, EFFORTS)).toBeNull();
    expect(raise({ ...low, value: 'high' }, ['off', 'low'])).toEqual({
      value: 'high',
      source: 'global',
      raised: true,
    });
  });
});
