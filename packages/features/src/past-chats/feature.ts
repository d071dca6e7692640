/** Defines tools that search and read the owner's chats (MEM-3). */
import { defineFeature } from '../feature.ts';
import { PastChats } from './past-chats.ts';
import { readChat } from './read-tool.ts';
import { searchChats } from './search-tool.ts';

export const pastChats = defineFeature({
  name: 'past chats',
  // The kernel stores chats and their messages.
  stores: () => ({}),
  open: ({ store }) => ({ name: 'past chats', service: new PastChats(store) }),
  tools: service => [readChat(service), searchChats(service)],
  groups: [{ name: 'chats', about: 'searches and reads the other chats of the owner' }],
  routes: [],
});
