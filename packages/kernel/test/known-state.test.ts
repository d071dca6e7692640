import type { PlanTask } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildState, NOTEBOOK } from '../../features/src/notebooks/state.ts';
import { addKnownState, type KnownState, staleState } from '../src/history/known-state.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';

const plans = fc.array(
  fc.record<PlanTask>({
    title: fc.string({ minLength: 1, maxLength: 8 }),
    status: fc.constantFrom('pending', 'in_progress', 'completed'),
  }),
  { maxLength: 3 },
);
const states = fc.record({ plan: plans, notebook: fc.string({ maxLength: 12 }) });

const stale = (state: { plan: PlanTask[]; notebook: string }, told: KnownState) =>
  staleState({ ...state, toolset: { loaded: [], disabled: [] } }, told, [
    { name: NOTEBOOK, state: buildState },
  ]);

describe('[PLAN-1] the plan and the notebook in the context', () => {
  it('are sent once: known state is not sent again', () => {
    fc.assert(
      fc.property(fc.array(states, { minLength: 1, maxLength: 6 }), all => {
        const told: KnownState = {};
        for (const state of all) {
          addKnownState(told, [entry(stale(state, told))]);
          expect(stale(state, told)).toEqual([]);
        }
      }),
    );
  });

  it('are sent again after a compaction, and omitted if they are empty', () => {
    expect(stale({ plan: [], notebook: '' }, {})).toEqual([]);
    const plan: PlanTask[] = [{ title: 'Look', status: 'in_progress' }];
    const blocks = stale({ plan, notebook: 'Tea.' }, {});
    expect(blocks.map(block => ('text' in block ? [block.type, block.text] : []))).toEqual([
      ['context', '[plan]\n- [in_progress] Look'],
      ['context', '[notebook]\nTea.'],
    ]);
    const told: KnownState = {};
    addKnownState(told, [entry(blocks)]);
    expect(stale({ plan, notebook: 'Coffee.' }, told).map(texts)).toEqual(['[notebook]\nCoffee.']);
    expect(stale({ plan: [], notebook: 'Tea.' }, told).map(texts)).toEqual(['[plan]\nThere is no plan now.']);
    expect(stale({ plan, notebook: '' }, told).map(texts)).toEqual([
      '[notebook]\nThe notebook is now empty.',
    ]);
  });

  it('follow later messages, including changes by calls of the model', () => {
    const result = (plan: string): StoredBlock => ({
      type: 'tool_result',
      tool_use_id: 'a',
      output: '',
      is_error: false,
      internal: { told: { plan } },
    });
    const told: KnownState = {};
    addKnownState(told, [entry([result('first')]), entry([result('second')])]);
    expect(told).toEqual({ plan: 'second' });
  });
});

const texts = (block: StoredBlock) => ('text' in block ? block.text : '');

function entry(content: StoredBlock[]): NewMessage {
  const created_at = '2026-01-01T00:00:00.000Z';
  return { id: 'm', chat_id: 'c', role: 'user', turn_id: 't', content, created_at, status: 'completed' };
}
