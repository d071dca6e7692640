/** A page with the chat object of useChat. It works without React, which would only render it. */
import { Chat } from '@ai-sdk/react';
import type {
  KernelChatTransport,
  KernelData,
  KernelPart,
  KernelPause,
  KernelUIMessage,
} from '../src/index.ts';

export class Page extends Chat<KernelUIMessage> {
  /** The pauses that `onData` received. */
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

  /** The parts of the last message, without those that each turn has. */
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
