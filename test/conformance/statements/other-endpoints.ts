/** The other addresses of the kernel, and the shelf of videos. */
import type { Statement } from './statement.ts';

export const OTHER_ENDPOINTS: Readonly<Record<string, Statement>> = {
  'other.1': {
    says: 'GET /apidocs is open.',
    by: [
      'test/proxy/proxy.system.test.ts › [AUTH-2] opens the reference, files and images for reads only',
      'service.test.ts › [SVC-3] serves the reference page and its assets from the kernel itself',
    ],
  },
  'other.2': {
    says: 'GET /v1/openapi.json is open.',
    by: [
      'test/proxy/proxy.system.test.ts › [AUTH-2] opens the reference, files and images for reads only',
      'service.test.ts › [SVC-3] the document is OpenAPI 3.1 and describes every route',
    ],
  },
  'other.3': {
    says: 'GET /v1/models has the models, context_windows and efforts.',
    by: ['models.test.ts › [API-1] lists models with everything that a client needs to offer them'],
  },
  'other.4': {
    says: 'GET /v1/stats has the last limits that providers told.',
    by: [
      'stats.test.ts › [API-2] counts chats, messages, turns, tokens and costs, and returns the last limits of each provider',
    ],
  },
  'other.5': {
    says: 'GET /v1/stats has triage.misses.',
    by: ['stats.test.ts › [API-3] sums up triage, and counts engaged messages without a reply as misses'],
  },
  'other.6': {
    says: 'POST /v1/stats/triage takes engaged and responded.',
    by: [
      'stats.test.ts › [API-3] sums up triage, and counts engaged messages without a reply as misses',
      'stats.test.ts › [API-3] rejects more replies than engaged messages, and invalid numbers',
    ],
  },
  'other.7': {
    says: 'GET /v1/tools has names, descriptions and schemas exactly as the model gets them.',
    by: [
      'tools-list.test.ts › [API-4] [SVC-2] returns names, descriptions and schemas as the model gets them, in the same order',
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'other.8': {
    says: 'GET /v1/tools has the groups.',
    by: [
      'tools-list.test.ts › [API-4] returns the origin and the permitted speakers of each tool, and a description of each group',
    ],
  },
  'other.9': {
    says: 'GET /v1/tools has the icons.',
    by: [
      'tools-list.test.ts › [API-4] returns the origin and the permitted speakers of each tool, and a description of each group',
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'other.10': {
    says: 'GET /v1/tools has the gates trusted_only and client_only.',
    by: [
      'tools-list.test.ts › [API-4] returns the origin and the permitted speakers of each tool, and a description of each group',
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'other.11': {
    says: 'GET /v1/tools says what is loaded on demand.',
    by: [
      'tools-list.test.ts › [API-4] applies the settings: hides tools that are off, changes gates, and marks groups as on-demand',
      'modules.system.test.ts › [MOD-4] shows an on_demand family as a line with its phrase until load_tools loads it',
    ],
  },
  'other.12': {
    says: 'POST /v1/complete is one call of a model, which answers text.',
    by: ['complete.test.ts › answers a prompt with text, model and cost'],
  },
  'other.13': {
    says: 'With a schema the text is JSON of that shape.',
    by: ['complete.test.ts › requests the schema from the provider, and reports it as enforced'],
  },
  'other.14': {
    says: 'POST /v1/persons/resolve answers the person of an external id.',
    by: [
      'persons.test.ts › [API-6] creates an untrusted person without master rights on the first request, and finds it later',
    ],
  },
  'other.15': {
    says: 'GET /v1/config answers the settings without their secrets.',
    by: [
      'config.system.test.ts › [API-7] returns the effective settings completely, with defaults for those missing in the file',
      'config.system.test.ts › [API-7] keeps configured secrets out of all responses and log lines, also in errors',
    ],
  },
  'other.16': {
    says: 'The settings have files.max_bytes, llm.reasoning, modules.servers, modules.socket_dir and mcp.servers.',
    by: [
      'config.system.test.ts › [API-7] returns the effective settings completely, with defaults for those missing in the file',
    ],
  },
  'other.17': {
    says: "POST /v1/ops/read_bytes reads a piece of a file of the kernel's machine.",
    by: ['own-bytes.test.ts › [OP-12] is read in pieces to its end and no further'],
  },
  'other.18': {
    says: "POST /v1/chats/{id}/ops/read_bytes reads a piece of a file of the client's machine.",
    by: ['bytes.test.ts › [OP-12] is read in pieces to its end and no further'],
  },
  'other.19': {
    says: 'The difference of engaged and responded adds up to the misses.',
    by: ['stats.test.ts › [API-3] sums up triage, and counts engaged messages without a reply as misses'],
  },
  'other.20': {
    says: 'cache lets a provider keep the header.',
    by: [
      'complete.test.ts › [API-5] marks only the system text for caching by Anthropic, and nothing without cache',
      'complete.test.ts › [API-5] shares a cache key between calls with the same header, and uses others otherwise',
    ],
  },
  'other.21': {
    says: 'Where nobody holds to the schema, the text comes all the same.',
    by: [
      'complete.test.ts › [API-5] answers with the built-in demo, and reports the schema as not enforced',
      'complete.test.ts › puts the schema into the prompt if the provider rejects it, and reports it as not enforced',
    ],
  },
  'other.22': {
    says: "The client's bytes are read only while a client with hands has a turn open.",
    by: ['bytes.test.ts › [OP-12] requires an open turn of a client with hands'],
  },
  'other.23': {
    says: 'The client may ask its owner before it gives bytes.',
    by: ['bytes.test.ts › [OP-12] is not read if the user denies it'],
  },
  'other.24': {
    says: 'Bytes are read and never written this way.',
    by: ['document.test.ts › reads bytes of machines over the API, and never writes them'],
  },
  'video.1': {
    says: 'PUT answers the row as it is stored.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'video.2': {
    says: 'GET takes before, the video_id of the last row, and answers a page.',
    by: [
      'video.test.ts › [VID-4] returns pages after a video, by 50 by default, down to an empty page, and 400 for an unknown id',
    ],
  },
  'video.3': {
    says: 'Marking a video again makes no second row.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'video.4': {
    says: 'Marking a video lifts it to the top with fresh metadata.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'video.5': {
    says: 'Where one stopped is kept between 2% and 97% of the length.',
    by: ['video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row'],
  },
  'video.6': {
    says: 'Outside of that, the place is null.',
    by: ['video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row'],
  },
  'video.7': {
    says: 'With a length of 0 or less, the place is null.',
    by: ['video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row'],
  },
  'video.8': {
    says: 'The row stays in all these cases.',
    by: ['video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row'],
  },
  'video.9': {
    says: 'The 200 newest are kept, and each mark drops what is beyond.',
    by: ['video.test.ts › [VID-3] keeps the last two hundred marks, also of concurrent requests'],
  },
  'video.10': {
    says: 'before is a video and no time.',
    by: [
      'video.test.ts › [VID-4] returns pages after a video, by 50 by default, down to an empty page, and 400 for an unknown id',
    ],
  },
  'video.11': {
    says: 'An unknown video in before is 400 and no empty page.',
    by: [
      'video.test.ts › [VID-4] returns pages after a video, by 50 by default, down to an empty page, and 400 for an unknown id',
    ],
  },
  'video-row.1': {
    says: 'A row has video_id, position_s or null, and duration_s.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
      'video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row',
    ],
  },
  'video-row.2': {
    says: 'A row has the metadata that came last.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'video-row.3': {
    says: 'There are at most 200 rows.',
    by: ['video.test.ts › [VID-3] keeps the last two hundred marks, also of concurrent requests'],
  },
};
