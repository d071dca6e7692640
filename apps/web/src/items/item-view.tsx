/** THE place where each kind of item gets its form. A kind that is missing does not compile. */
import { memo, type ReactNode } from 'react';
import type { Row } from '../rows/rows.ts';
import { Fold, Note, Operation, Picture, Tasks } from './small-items.tsx';
import { Text } from './text.tsx';
import { Thinking } from './thinking.tsx';
import { ToolCall } from './tool-call.tsx';
import { UserMessage } from './user-message.tsx';

interface ItemViewProps {
  row: Row;
  onTakeBack(messageId: string): void;
}

export const ItemView = memo(function ItemView({ row, onTakeBack }: ItemViewProps): ReactNode {
  const { item, piece, pieces } = row;
  switch (item.kind) {
    case 'user_message':
      return <UserMessage item={item} onTakeBack={() => onTakeBack(item.message_id)} />;
    case 'agent_message':
      return piece && pieces ? <Text piece={piece} pieces={pieces} /> : null;
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool_call':
      return <ToolCall item={item} />;
    case 'client_op':
      return <Operation item={item} />;
    case 'image':
      return <Picture item={item} />;
    case 'compaction':
      return <Fold item={item} />;
    case 'machine_note':
      return <Note item={item} />;
    case 'plan':
      return <Tasks tasks={item.tasks} />;
    default:
      // A newer kernel may have other kinds.
      item satisfies never;
      return null;
  }
});
