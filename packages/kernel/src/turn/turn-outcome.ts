/** Records the outcome of a turn: the messages that it has written, the model's last text, and how it ended. */
import type { TurnEnd, TurnErrorCode } from '@chat-kernel/protocol';
import type { NewMessage } from '../ports/index.ts';

export class TurnOutcome {
  /** The ids of the messages that the turn has written, in order. */
  readonly messageIds: string[] = [];
  /** The last text of the model; empty until then. */
  lastText = '';
  /** The status of an ended turn; null before. */
  status: TurnEnd | null = null;
  /** The code of the error with which the turn failed. */
  errorCode: TurnErrorCode | undefined;

  /** Records messages that the turn wrote in an earlier process. */
  takeUp(messages: readonly NewMessage[]): void {
    this.messageIds.push(...messages.map(message => message.id));
  }

  /** Records messages of the turn that are stored or are being stored. */
  addMessages(messages: readonly NewMessage[]): void {
    this.messageIds.push(...messages.map(message => message.id));
    const reply = messages.findLast(({ role }) => role === 'assistant')?.content ?? [];
    const texts = reply.flatMap(block =>
      block.type === 'text' && !block.internal?.note ? [block.text] : [],
    );
    if (texts.length > 0) this.lastText = texts.join('\n');
  }

  end(status: TurnEnd, errorCode?: TurnErrorCode): void {
    this.status = status;
    this.errorCode = errorCode;
  }
}
