/** The feed of a run that nobody watches: what a sub-agent writes is no part of the stream of its turn. */
import type { StoredBlock } from '../ports/index.ts';
import type { LiveItem, StepFeed } from './feed.ts';

/** @param onCall told of each call by the name of its tool */
export function silentFeed(onCall: (name: string) => void): StepFeed {
  const item = (block: StoredBlock, created_at: string): LiveItem => ({ id: '', block, created_at });
  return {
    begin: item,
    text() {},
    end() {},
    call(block, created_at) {
      onCall(block.name);
      return item(block, created_at);
    },
    progress() {},
    result() {},
    image() {},
    entry() {},
  };
}
