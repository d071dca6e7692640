/** Holds what the parts of the API work with. */
import type { Chats } from '../chats/chats.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Turns } from '../turns/turns.ts';
import type { ChatChanges } from './chat-changes.ts';

export interface ApiParts {
  chats: Chats;
  turns: Turns;
  changes: ChatChanges;
  services: TurnServices;
}

export abstract class ApiBase {
  protected readonly chats: Chats;
  protected readonly turns: Turns;
  protected readonly changes: ChatChanges;
  protected readonly services: TurnServices;

  constructor({ chats, turns, changes, services }: ApiParts) {
    this.chats = chats;
    this.turns = turns;
    this.changes = changes;
    this.services = services;
  }
}
