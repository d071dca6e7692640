/** Defines the notebook of each chat: one text that the model keeps and the owner may change (BT-8, CHAT-8). */
import { ChatParams, chatsTag } from '@chat-kernel/http';
import type { Tool, ToolContext } from '@chat-kernel/kernel';
import { MAX_NOTEBOOK, Notebook, SetNotebook } from '@chat-kernel/protocol';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { defineFeature, featureRoutes } from '../feature.ts';
import { Notebooks } from './notebooks.ts';
import { buildState, NOTEBOOK, notebookFingerprint } from './state.ts';

const defineRoute = featureRoutes<Notebooks>(chatsTag);

/** Serves the notebook of a chat. */
const routes = [
  defineRoute('GET /v1/chats/:id/notes', {
    operationId: 'getNotebook',
    summary: 'Get the notebook',
    description: 'In a turn, the notebook is already part of the model context.',
    request: { params: ChatParams },
    responses: { 200: Notebook },
    handler: ({ service, params }) => service.read(params.id),
  }),
  defineRoute('PUT /v1/chats/:id/notes', {
    operationId: 'setNotebook',
    summary: 'Write the notebook',
    description: 'Replaces the whole notebook. The model sees the change in the next turn.',
    request: { params: ChatParams, body: SetNotebook },
    responses: { 200: Notebook },
    handler: ({ service, params, body }) => service.write(params.id, body.text),
  }),
];

export const notebooks = defineFeature({
  name: NOTEBOOK,
  open: ({ store, clock }) => ({ service: new Notebooks(store, clock), state: buildState }),
  tools: service => [notebookTool(service)],
  groups: [{ name: 'notebook', about: 'keeps notes for this chat' }],
  routes,
  documentedAfter: 'listItems',
});

/** Lets the model keep notes that stay when older history is compacted (BT-8). */
const notebookTool = (notebooks: () => Notebooks): Tool =>
  defineTool({
    name: NOTEBOOK,
    description:
      'Writes the notebook of this chat: one Markdown text that stays in your context, even after older messages are compacted. Keep what will matter later: decisions, facts, open points. `append` adds a paragraph; `replace` rewrites the whole notebook.',
    input: z.object({ text: z.string(), mode: z.enum(['replace', 'append']) }),
    group: 'notebook',
    icon: '📓',
    trusted_only: true,
    lead_only: true,
    async run({ text, mode }, context) {
      const written = await change(notebooks(), context, before => {
        const after = mode === 'replace' ? text : appended(before, text);
        if (after.length > MAX_NOTEBOOK) throw new Error(tooLong(after.length));
        return after;
      });
      return {
        output: written === '' ? 'The notebook is empty.' : `The notebook has ${count(written.length)}.`,
      };
    },
  });

/**
 * Changes the notebook of the chat and returns the new text. Notes the new state if the model has then seen all of it.
 */
async function change(
  notebooks: Notebooks,
  context: ToolContext,
  work: (text: string) => string,
): Promise<string> {
  context.signal.throwIfAborted();
  const { id, notebook: known } = context.chat;
  const chat = await notebooks.change(
    id,
    text => {
      const changed = work(text);
      // Otherwise the owner has written text that the model has not seen.
      if (text === known) context.noteState(NOTEBOOK, notebookFingerprint(changed));
      return changed;
    },
    context.held,
  );
  context.chatUpdated(chat);
  return chat.notebook;
}

/** Appends the text on a new line. */
const appended = (before: string, text: string): string =>
  before === '' || before.endsWith('\n') ? before + text : `${before}\n${text}`;

const tooLong = (chars: number): string =>
  `the notebook takes at most ${count(MAX_NOTEBOOK)}, and this would make it ${count(chars)}. Nothing was written. Replace it with a shorter text.`;

const count = (chars: number): string => `${chars.toLocaleString('en')} characters`;
