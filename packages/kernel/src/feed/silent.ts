/** The feed of a run without readers: the words of a sub-agent are not in the stream of its turn. */
import type { StoredBlock } from '../ports/index.ts';
import type { StepFeed } from './feed.ts';
import type { LiveItem } from './live-item.ts';

/** A feed that drops all. @param onCall called at each call with the name of its tool */
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
