/** Defines the kernel's interface for imports, and its replacement when no kernel runs. */
import type { FeatureHost } from '@chat-kernel/kernel';

export interface ImportHost extends Pick<FeatureHost, 'forgetHistory' | 'whileIdle'> {
  events: Pick<FeatureHost['events'], 'chatCreated' | 'chatUpdated'>;
}

/** For a store that no kernel uses. */
export const offlineHost: ImportHost = {
  events: { chatCreated() {}, chatUpdated() {} },
  forgetHistory() {},
  whileIdle: (chat_id, work) => work({ chat_id, epoch: undefined }),
};
