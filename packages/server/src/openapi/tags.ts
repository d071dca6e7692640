/** THE list of tags: how the document groups its operations. */

/** Tag → what its operations are about. A route whose tag does not stand here fails the lint of the document. */
const TAGS: Readonly<Record<string, string>> = {
  chats: 'Chats and what each has of its own: settings, notebook, plan, spend, forks.',
  messages: 'The history as it is kept, and search in it.',
  turns: 'Sending a message, watching what comes of it, stopping it.',
  requests: 'What the kernel asks its clients, and how they answer.',
  machines: 'Pieces of files, read on the machine of the kernel or of a client.',
  sleep: 'Turns that wait until the kernel wakes.',
  items: 'The history in the form that clients draw.',
  models: 'Models, and asking one outside of any chat.',
  modules: 'Programs beside the kernel that take part in turns.',
  persons: 'Those who talk through surfaces.',
  stats: 'What the kernel has done so far.',
  books: 'Shelves of books that chats search and read.',
  video: 'The shelf of videos: history and subscriptions.',
  tools: 'What models may call.',
  images: 'Images that models drew.',
  files: 'Files that people sent.',
  reference: 'This document.',
  operation: 'For whoever runs the kernel.',
};

export const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
