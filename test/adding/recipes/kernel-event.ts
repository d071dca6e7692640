import type { Recipe } from '../recipe.ts';

export const kernelEvent: Recipe = {
  row: 'an event of `GET /v1/events`',
  edits: [
    {
      file: 'packages/protocol/src/chats/kernel-event.ts',
      before: "    eventSchema('request_opened', {",
      text: "    eventSchema('clock_changed', { at: Timestamp }).meta({ id: 'ClockChangedEvent' }),\n",
    },
    {
      file: 'packages/kernel/src/events/kernel-events.ts',
      before: '  chatDeleted(chat_id: string): void {\n',
      text: `  clockChanged(at: string): void {
    this.publish({ type: 'clock_changed', at });
  }

`,
    },
    {
      file: 'apps/web/src/kernel/kernel.ts',
      before: "      case 'opened':\n",
      text: "      case 'clock_changed':\n",
    },
    { file: 'docs/api.md', after: '`books_changed`, ', text: '`clock_changed`, ' },
  ],
};
