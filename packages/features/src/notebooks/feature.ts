/** Defines the notebook of each chat: one text that the model keeps and the owner may change (BT-8, CHAT-8). */
import { defineFeature } from '../feature.ts';
import { Notebooks } from './notebooks.ts';
import { routes } from './routes.ts';
import { buildState, NOTEBOOK } from './state.ts';
import { notebookTool } from './tool.ts';

export const notebooks = defineFeature({
  name: NOTEBOOK,
  // The notebook is a column of its chat.
  stores: () => ({}),
  open: ({ store, clock }) => ({ name: NOTEBOOK, service: new Notebooks(store, clock), state: buildState }),
  tools: service => [notebookTool(service)],
  groups: [{ name: 'notebook', about: 'keeps notes for this chat' }],
  routes,
  documentedAfter: 'listItems',
});
