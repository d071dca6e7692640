/** Provides the feed of a run without readers: the stream of a turn does not contain the text of its sub-agents. */
import type { StoredBlock } from '../ports/index.ts';
import type { StepFeed } from './feed.ts';
import type { LiveItem } from './live-items.ts';

/** A feed that drops everything. @param onCall called at each call with the name of its tool */
export function noopFeed(onCall: (name: string) => void): StepFeed {
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
