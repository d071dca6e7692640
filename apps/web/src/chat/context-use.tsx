/** Shows which share of the model's context window the chat takes. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { compact } from '@chat-kernel/text';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Meter } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** The prompt of the last provider request of a chat. */
export interface LastPrompt {
  model: string;
  tokens: number;
}

/** Returns the prompt of the live turn or, after a reload, of the newest answer. Null: not known. */
export function findLastPrompt({ turn, items }: ChatSnapshot): LastPrompt | null {
  if (turn?.usage) return { model: turn.usage.model, tokens: turn.usage.prompt_tokens };
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]!;
    // The next request counts what is left.
    if (item.kind === 'compaction') return null;
    if (item.kind === 'agent_message' && item.model && item.usage)
      return { model: item.model, tokens: item.usage.prompt_tokens };
  }
  return null;
}

interface ContextUseProps extends LastPrompt {
  chatId: string;
  onOpen(): void;
}

export function ContextUse({ chatId, model, tokens, onOpen }: ContextUseProps) {
  const { client, models } = useKernel();
  const size = useStore(models)?.models.find(({ id }) => id === model)?.context_window;
  // The first request of a chat determines its prefix.
  const { value: spend } = useLoaded(() => client.getSpend(chatId), `${chatId} ${tokens}`);
  if (!size || !spend) return null;
  const used = Math.max(0, tokens - spend.prefix_tokens);
  const label = `${compact(used)} of ${compact(size)} context tokens used`;
  return (
    <button type="button" className="window quiet" title={label} onClick={onOpen}>
      <Meter share={used / size} label={label} warns />
      <span>{Math.round((used / size) * 100)} %</span>
    </button>
  );
}
