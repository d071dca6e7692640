/** A page with the chat that useChat has. It needs no React to run: that would only draw it. */
import { Chat } from '@ai-sdk/react';
import type {
  KernelChatTransport,
  KernelData,
  KernelPart,
  KernelPause,
  KernelUIMessage,
} from '../../src/ai-sdk/index.ts';

export class Page extends Chat<KernelUIMessage> {
  /** What `onData` was told of pauses. */
  readonly pauses: KernelPause[];

  constructor(id: string, transport: KernelChatTransport, messages: KernelUIMessage[] = []) {
    const pauses: KernelPause[] = [];
    super({
      id,
      transport,
      messages,
      onData: part => {
        if (part.type === 'data-turn') pauses.push(part.data);
      },
    });
    this.pauses = pauses;
  }

  /** The parts of the last message, but for what each turn has. */
  get parts(): KernelPart[] {
    return (this.lastMessage?.parts ?? []).filter(({ type }) => type !== 'data-usage');
  }

  /** The text of the last message. */
  get text(): string {
    return this.parts.map(part => (part.type === 'text' ? part.text : '')).join('');
  }

  /** The requests that the last message shows. */
  get requests(): KernelData['request'][] {
    return this.parts.flatMap(part => (part.type === 'data-request' ? [part.data] : []));
  }
}
