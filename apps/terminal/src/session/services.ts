/** The services of all parts of the session. */
import type { KernelClient } from '@chat-kernel/client';
import type { ShownChat } from '../chats/shown-chat.ts';
import type { AppStore } from '../state/app-state.ts';
import type { MessageInput } from './message-input.ts';
import type { Notices } from './notices.ts';
import type { Panels } from './panels.ts';

export interface SessionServices {
  client: KernelClient;
  store: AppStore;
  notices: Notices;
  input: MessageInput;
  panels: Panels;
  shownChat: ShownChat;
}
