/** A page with the AI SDK's own chat, as useChat has it, without React. */
import { AbstractChat, type ChatState, type ChatStatus } from 'ai';
import type {
  KernelChatTransport,
  KernelData,
  KernelPart,
  KernelPause,
  KernelUIMessage,
} from '../../src/ai-sdk/index.ts';

/** What a framework keeps of a chat; here nothing is drawn. */
class PlainState implements ChatState<KernelUIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined;
  messages: KernelUIMessage[];

  constructor(messages: KernelUIMessage[]) {
    this.messages = messages;
  }

  pushMessage = (message: KernelUIMessage) => {
    this.messages = [...this.messages, message];
  };

  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };

  replaceMessage = (index: number, message: KernelUIMessage) => {
    this.messages = this.messages.with(index, this.snapshot(message));
  };

  snapshot = <T>(thing: T): T => structuredClone(thing);
}

export class Page extends AbstractChat<KernelUIMessage> {
  /** What `onData` was told of pauses. */
  readonly pauses: KernelPause[];

  constructor(id: string, transport: KernelChatTransport, messages: KernelUIMessage[] = []) {
    const pauses: KernelPause[] = [];
    super({
      id,
      transport,
      state: new PlainState(messages),
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
