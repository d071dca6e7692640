/**
 * The methods of the fake, with all their published parameters. A test compares the list with the types of grammY; checks.ts
 * contains how the fake handles a parameter.
 */

type Kind = 'integer' | 'string' | 'boolean' | 'object' | 'array' | 'file' | 'chat';
/** Parameter → its kind; `?`: optional. */
export type Parameters = Readonly<Record<string, Kind | `${Kind}?`>>;

const TO = {
  business_connection_id: 'string?',
  chat_id: 'chat',
  message_thread_id: 'integer?',
  direct_messages_topic_id: 'integer?',
  ephemeral_message_parameters: 'object?',
} as const;
const HOW = {
  disable_notification: 'boolean?',
  protect_content: 'boolean?',
  allow_paid_broadcast: 'boolean?',
  suggested_post_parameters: 'object?',
  message_effect_id: 'string?',
  reply_parameters: 'object?',
  reply_markup: 'object?',
  reply_to_message_id: 'integer?',
} as const;
const CAPTION = { caption: 'string?', parse_mode: 'string?', caption_entities: 'array?' } as const;
const WHICH = {
  business_connection_id: 'string?',
  chat_id: 'chat?',
  message_id: 'integer?',
  inline_message_id: 'string?',
} as const;

export const METHODS = {
  getMe: {},
  getUpdates: { offset: 'integer?', limit: 'integer?', timeout: 'integer?', allowed_updates: 'array?' },
  setMyCommands: { commands: 'array', scope: 'object?', language_code: 'string?' },
  sendMessage: {
    ...TO,
    text: 'string',
    parse_mode: 'string?',
    entities: 'array?',
    link_preview_options: 'object?',
    ...HOW,
  },
  sendMessageDraft: {
    chat_id: 'integer',
    message_thread_id: 'integer?',
    draft_id: 'integer',
    text: 'string?',
    parse_mode: 'string?',
    entities: 'array?',
    can_stop: 'boolean?',
    keep_on_stop: 'boolean?',
  },
  editMessageText: {
    ...WHICH,
    text: 'string?',
    parse_mode: 'string?',
    entities: 'array?',
    link_preview_options: 'object?',
    rich_message: 'object?',
    reply_markup: 'object?',
  },
  sendPhoto: {
    ...TO,
    photo: 'file',
    ...CAPTION,
    show_caption_above_media: 'boolean?',
    has_spoiler: 'boolean?',
    ...HOW,
  },
  sendDocument: {
    ...TO,
    document: 'file',
    thumbnail: 'file?',
    ...CAPTION,
    disable_content_type_detection: 'boolean?',
    ...HOW,
  },
  sendVoice: { ...TO, voice: 'file', ...CAPTION, duration: 'integer?', ...HOW },
  sendMediaGroup: {
    business_connection_id: 'string?',
    chat_id: 'chat',
    message_thread_id: 'integer?',
    direct_messages_topic_id: 'integer?',
    media: 'array',
    disable_notification: 'boolean?',
    protect_content: 'boolean?',
    allow_paid_broadcast: 'boolean?',
    message_effect_id: 'string?',
    reply_parameters: 'object?',
    reply_to_message_id: 'integer?',
  },
  sendChatAction: {
    business_connection_id: 'string?',
    chat_id: 'chat',
    message_thread_id: 'integer?',
    action: 'string',
  },
  getFile: { file_id: 'string' },
  answerCallbackQuery: {
    callback_query_id: 'string',
    text: 'string?',
    show_alert: 'boolean?',
    url: 'string?',
    cache_time: 'integer?',
  },
} as const satisfies Record<string, Parameters>;
export type Method = keyof typeof METHODS;
