/** Files, images, plans, usage and models. */
import type { Statement } from './statement.ts';

export const RECORDS: Readonly<Record<string, Statement>> = {
  'file.1': {
    says: 'An upload answers id, name, media_type and size.',
    by: ['files.test.ts › [FILE-1] stores bytes of any type as a file with the decoded name'],
  },
  'image.1': {
    says: 'An image that a model generates is stored by the kernel.',
    by: ['images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged'],
  },
  'image.2': {
    says: 'The event of an image has type, id, media_type and url.',
    by: ['images.test.ts › [EV-8] sends a drawn image with id, type and address, between the text around it'],
  },
  'image.3': {
    says: 'The id is a uuid, and the url ends in /images/<id>.',
    by: ['images.test.ts › [EV-8] sends a drawn image with id, type and address, between the text around it'],
  },
  'plan.1': {
    says: 'A plan is a list of tasks, always whole.',
    by: ['plan.test.ts › [EV-9] sends the whole plan on each change, and closes it when it is empty'],
  },
  'plan.2': {
    says: 'An empty list closes the plan.',
    by: ['plan.test.ts › [EV-9] sends the whole plan on each change, and closes it when it is empty'],
  },
  'plan.3': {
    says: 'No history has the plan.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'plan.4': {
    says: 'The plan is read with GET.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'plan.5': {
    says: 'The plan is erased with DELETE at the same address.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'usage.1': {
    says: 'Usage has prompt_tokens, completion_tokens and reasoning_tokens.',
    by: ['usage.test.ts › [EV-4] sends usage of each request, sums it in done, and adds it to the chat'],
  },
  'usage.2': {
    says: 'Reasoning tokens are a part of the completion tokens.',
    by: [
      'packages/providers/test/stream.test.ts › [EV-4] reports cached tokens as part of the prompt and reasoning as part of the completion',
      'packages/providers/test/stream.test.ts › [EV-4] reports cached tokens as part of the prompt and reasoning as part of the completion',
    ],
  },
  'usage.3': {
    says: 'The used share of the window is the prompt without the prefix over the ceiling of the model.',
    by: [
      'apps/terminal/test/status-line.test.ts › computes the share of the context window as documented in the API',
      "document.test.ts › computes the share of the window as the prompt without its prefix over the model's limit",
    ],
  },
  'usage.4': {
    says: 'The ceiling is in context_windows of the models.',
    by: ['models.test.ts › [API-1] lists models with everything that a client needs to offer them'],
  },
  'usage.5': {
    says: 'The prefix is in the spend of the chat.',
    by: [
      'usage.test.ts › [EV-4] sends usage of each request, sums it in done, and adds it to the chat',
      'usage.test.ts › [CHAT-7] knows the tokens before any message after the first request of a chat, during its turn',
    ],
  },
  'usage.6': {
    says: 'A model has its own effort, and the efforts that it takes.',
    by: ['models.test.ts › [API-1] lists models with everything that a client needs to offer them'],
  },
  'usage.7': {
    says: 'The catalogue has effort_default, which is llm.reasoning of the settings.',
    by: ['models.test.ts › [API-1] lists models with everything that a client needs to offer them'],
  },
};
