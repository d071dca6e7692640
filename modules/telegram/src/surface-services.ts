/** The services for handling updates. */
import type { UserFromGetMe } from 'grammy/types';
import type { AnswerStream } from './answer-stream.ts';
import type { SendingServices } from './outbox.ts';
import type { Requests } from './requests.ts';

export interface SurfaceServices extends SendingServices {
  me: UserFromGetMe;
  teller: AnswerStream;
  requests: Requests;
}
